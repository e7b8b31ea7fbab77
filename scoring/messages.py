"""The sentences of the kernel's findings, by code, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.values import Text

#: Sentences of the findings, by code. Placeholders are filled by `message`.
MESSAGES: Mapping[str, Text] = {
    "not_a_multiple_of_5": {
        "en": "Points must be a multiple of 5; you wrote {value}.",
        "zh": "{what}要是 5 的倍数，你写的是 {value}。",
    },
    "not_a_whole_number": {
        "en": "{what} must be a whole number; you wrote {value}.",
        "zh": "{what}要是整数，你写的是 {value}。",
    },
    "out_of_range": {
        "en": "{what} must lie between {low} and {high}; you wrote {value}.",
        "zh": "{what}要在 {low} 到 {high} 之间，你写的是 {value}。",
    },
    "above_deck_total": {
        "en": "{decks} {total} points; {captured} and a kitty of {kitty} are {over} too many.",
        "zh": "{decks}共 {total} 分；得分 {captured} 加底牌 {kitty}，多出 {over} 分。",
    },
    "above_deck_total_alone": {
        "en": "{decks} {total} points; you wrote {value}.",
        "zh": "{decks}共 {total} 分，你写的是 {value}。",
    },
    "kitty_too_rich": {
        "en": "{cards} kitty cards hold at most {most}; you wrote {value}.",
        "zh": "{cards} 张底牌最多 {most} 分，你写的是 {value}。",
    },
    "kitty_missing": {
        "en": "Attackers dug: enter the points in the kitty.",
        "zh": "闲家抠底：请填底牌分。",
    },
    "shape_missing": {
        "en": "Attackers dug: choose the shape led to the last trick.",
        "zh": "闲家抠底：请选末圈领出的牌型。",
    },
    "shape_unknown": {
        "en": "A shape is a single, a pair, a triple, a quad, 510K or a tractor with width and length.",
        "zh": "牌型是单张、对子、刻子、四张、510K，或写明张数与长度的拖拉机。",
    },
    "shape_not_here": {
        "en": "{decks} no {shape}.",
        "zh": "{decks}里没有{shape}。",
    },
    "shape_too_long": {
        "en": "A hand of {cards} cards cannot lead a {shape}.",
        "zh": "手里 {cards} 张，领不出 {shape}。",
    },
    "too_many_cards_led": {
        "en": "A hand of {cards} cards cannot lead {value} cards.",
        "zh": "手里 {cards} 张，领不出 {value} 张。",
    },
    "throw_size": {
        "en": "A throw has 2 to {high} cards; you wrote {value}.",
        "zh": "甩牌要 2 到 {high} 张，你写的是 {value}。",
    },
    "card_unknown": {
        "en": "{value} is no card. Write the suit letter and the rank, JS or JB.",
        "zh": "{value} 不是一张牌。请写花色字母加点数，或 JS、JB。",
    },
    "cards_too_many": {
        "en": "More than {most} cards: no hand holds so many.",
        "zh": "超过 {most} 张，哪一家也没有这么多牌。",
    },
    "card_too_often": {
        "en": "{decks} {card} only {times} times.",
        "zh": "{decks}里{card}只有 {times} 张。",
    },
    "winning_play_without_dig": {
        "en": "The dealer side won the last trick; the attackers have no winning cards to state.",
        "zh": "末圈由庄家方赢得，没有闲家的获胜牌。",
    },
    "winning_category_missing": {
        "en": "Only trumps dig here: say whether the last trick was won with trumps.",
        "zh": "本规则仅主牌抠底：请写明末圈是否以主牌赢得。",
    },
    "last_trick_missing": {
        "en": "Say which side won the last trick.",
        "zh": "请选末圈由哪一方赢得。",
    },
    "last_trick_not_here": {
        "en": "These rules dig the kitty; the points of the last trick count with the others.",
        "zh": "本规则抠底牌；末圈分数与其他圈一并计入得分。",
    },
    "last_led_missing": {
        "en": "Choose the shape led to the last trick; its cards multiply the points of that trick.",
        "zh": "请选末圈领出的牌型，末圈分数要乘领出张数。",
    },
    "last_points_missing": {
        "en": "Say how many points the last trick held.",
        "zh": "请填末圈有多少分。",
    },
    "jump_not_here": {
        "en": "These rules have no such jump of levels.",
        "zh": "本规则没有这种升降级。",
    },
    "dig_by_dealer": {
        "en": "Only attackers dig.",
        "zh": "只有闲家可以抠底。",
    },
    "special_at_flag": {
        "en": "At the flag nothing is declared, bid or dug.",
        "zh": "扛旗时不亮主、不炒底、也不抠底。",
    },
    "special_without_dig": {
        "en": "The dealer side won the last trick, so nobody dug.",
        "zh": "末圈由庄家方赢得，没有人抠底。",
    },
    "special_twice": {
        "en": "The same play is there twice.",
        "zh": "同一种打法写了两次。",
    },
    "specials_one_dig": {
        "en": "The kitty is dug once: with a pair of red fives or with 510K.",
        "zh": "一副只抠底一次：一对红桃 5，或 510K。",
    },
    "specials_one_pair": {
        "en": "{decks} decks hold one pair of red fives; it cannot be on both sides.",
        "zh": "{decks} 副牌只有一对红桃 5，不会双方都有。",
    },
    "dark_bid_not_here": {
        "en": "These rules fine no face-down bids.",
        "zh": "本规则没有暗炒罚分。",
    },
    "dark_bid_twice": {
        "en": "Write the bids out of order of one side together.",
        "zh": "同一方的乱序次数请合写。",
    },
    "kitty_at_flag": {
        "en": "At the flag all cards are dealt; leave out the kitty points.",
        "zh": "扛旗时不留底牌，请不要填底牌分。",
    },
    "no_trump_suit": {
        "en": "There is no trump suit at this level ({level}).",
        "zh": "{level}时没有主花色。",
    },
    "declarer_not_here": {
        "en": "Here it does not matter who declared; leave it out.",
        "zh": "本规则与由谁亮主无关，请不要填。",
    },
    "flag_not_here": {
        "en": "These rules have no flag after the last level.",
        "zh": "本规则没有扛旗。",
    },
    "coins_not_here": {
        "en": "These rules settle no coins of this kind.",
        "zh": "本规则不计这种金币。",
    },
    "bids_not_here": {
        "en": "These rules have no bids.",
        "zh": "本规则不叫分。",
    },
    "bid_not_here": {
        "en": "A bid is one of {low} to {high} in steps of {step}; you wrote {value}.",
        "zh": "叫分应为 {low} 到 {high}、{step} 分一档，你写的是 {value}。",
    },
    "bid_twice": {
        "en": "Two players bid {value}; each bid must be lower than the one before.",
        "zh": "有两家叫 {value} 分；叫分须比前一家低。",
    },
    "bid_and_bids": {
        "en": "The lowest of the bids is {value}; leave out {field} or make it the same.",
        "zh": "各家叫分中最低为 {value}；{field} 不必再填，要填须一致。",
    },
    "bid_unknown": {
        "en": "Say how many points the lowest bidder bid.",
        "zh": "请填叫分最低者叫了多少分。",
    },
    "dealer_not_bidder": {
        "en": "The lowest bid is by {bidder}, who deals; you wrote {dealer}.",
        "zh": "叫分最低的是 {bidder}，由其坐庄，你写的是 {dealer}。",
    },
    "last_trick_place_missing": {
        "en": "Say who won the last trick; the kitty points go to that player.",
        "zh": "请填末圈由谁赢得，底牌分归其所有。",
    },
    "kitty_of_all_missing": {
        "en": "Enter the points in the kitty.",
        "zh": "请填底牌分。",
    },
    "points_not_conserved": {
        "en": "{decks} {total} points; {played} in tricks and a kitty of {kitty} make {sum}.",
        "zh": "{decks}共 {total} 分；各家得分合计 {played}，加底牌 {kitty}，为 {sum} 分。",
    },
    "penalty_of_nothing": {
        "en": "A penalty takes or gives something; 0 is none.",
        "zh": "处罚要有得失，不能为 0。",
    },
    "place_unexpected": {
        "en": "The record says {due} deals; you chose {dealer}. If it is wrong, call a referee.",
        "zh": "按记录由 {due}坐庄，你选了 {dealer}。记录有误请叫裁判。",
    },
    "place_level_unexpected": {
        "en": "The record says this hand is played at {due}; you wrote {level}. If it is wrong, call a referee.",
        "zh": "按记录本副打 {due}，你写的是 {level}。记录有误请叫裁判。",
    },
    "first_dealer_by_bids": {
        "en": "The bids decide who deals; leave out who deals first.",
        "zh": "由叫分定庄，不必填首副庄家。",
    },
    "not_individual": {
        "en": "This is played by two sides, not by single players.",
        "zh": "本规则由双方对阵，不是个人赛。",
    },
    "bid_missing": {
        "en": "Nobody bid, so nobody deals.",
        "zh": "四家都不叫，无人坐庄。",
    },
    "shape_510k_not_here": {"en": "These rules have no 510K.", "zh": "本规则没有 510K。"},
    "tractor_not_here": {
        "en": "These rules have no tractors.",
        "zh": "本规则没有拖拉机。",
    },
    "throw_not_here": {
        "en": "These rules have no throws.",
        "zh": "本规则不能甩牌。",
    },
    "trump_missing": {
        "en": "Choose the trump suit; the hook depends on it.",
        "zh": "请选主花色，是否钩到底要看主花色。",
    },
    "no_trump_not_here": {
        "en": "These rules do not allow no-trump.",
        "zh": "本规则不打无主。",
    },
    "total_and_parts": {
        "en": "A total from a paper slip stands alone; leave out {field}.",
        "zh": "按记分表只录总分时，不要再填 {field}。",
    },
    "total_out_of_reach": {
        "en": "No hand can end with {value}; it lies between {low} and {high}.",
        "zh": "一副不可能得 {value} 分，应在 {low} 到 {high} 之间。",
    },
    "adjustment_zero": {
        "en": "An adjustment gives or takes points; 0 is none.",
        "zh": "调整要加分或扣分，不能为 0。",
    },
    "level_not_on_ladder": {
        "en": "Level {value} is not played here; the levels are {levels}.",
        "zh": "这里不打 {value}；所打级别为 {levels}。",
    },
    "no_levels": {
        "en": "No levels are played here, so no rank is a level card.",
        "zh": "这里不打级别，没有级牌。",
    },
    "missing": {"en": "{field} is missing.", "zh": "缺少 {field}。"},
    "unknown_field": {"en": "There is no field called {field}.", "zh": "没有名为 {field} 的栏目。"},
    "unknown_value": {
        "en": "{field} must be one of {choices}; you wrote {value}.",
        "zh": "{field} 应为 {choices} 之一，你写的是 {value}。",
    },
    "wrong_type": {
        "en": "{field} must be {expected}; you wrote {value}.",
        "zh": "{field} 应为{expected_zh}，你写的是 {value}。",
    },
    "too_many": {"en": "{field} has more than {most} items.", "zh": "{field} 超过 {most} 项。"},
    "dealer_missing": {
        "en": "The deal is contested: say who deals.",
        "zh": "本副抢庄：请填由谁坐庄。",
    },
    "dealer_unexpected": {
        "en": "The record says {due} deals, {playing}; you chose {dealer}. If it is wrong, call a referee.",
        "zh": "按记录是{due}坐庄{playing}，你选了{dealer}。记录有误请叫裁判。",
    },
    "level_unexpected": {
        "en": "The record says this hand is played at {due}; you wrote {level}. If it is wrong, call a referee.",
        "zh": "按记录本副应{playing}，你写的是 {level}。记录有误请叫裁判。",
    },
    "hook_not_here": {
        "en": "The hook exists only at level {levels}; this hand is played at {level}.",
        "zh": "只有打 {levels} 时才有钩到底，本副{playing}。",
    },
    "rebellion_not_here": {
        "en": "These rules have no rebellion.",
        "zh": "本规则没有造反。",
    },
    "rebellion_twice": {
        "en": "No rebellion twice running; the last hand was one.",
        "zh": "不能连续两副造反，上一副已是造反。",
    },
    "rebellion_by_dealer": {
        "en": "Only attackers may rebel; {seat} is of the dealer side.",
        "zh": "只有闲家可以造反，{seat}属于庄家方。",
    },
    "rebellion_without_ground": {
        "en": "A rebel holds at most {points} points or at most {trumps} trumps.",
        "zh": "造反须手上不超过 {points} 分，或主牌不超过 {trumps} 张。",
    },
    "match_over": {
        "en": "The match is over; nothing can be added.",
        "zh": "对局已经结束，不能再录。",
    },
    "lead_of_fixed_hands": {
        "en": "Where every hand has its level, no lead of levels wins.",
        "zh": "固定级的比赛级别不累计，不能以领先级数定胜负。",
    },
    "fixed_dealer_unexpected": {
        "en": "{due} deals hand {number}; you chose {dealer}. If that is how it was played, call a referee.",
        "zh": "第 {number} 副由{due}坐庄，你选了{dealer}。如确实这样打了，请叫裁判。",
    },
    "fixed_level_unexpected": {
        "en": "Hand {number} is played at {due}; you wrote {level}. If that is how it was played, call a referee.",
        "zh": "第 {number} 副{playing}，你写的是 {level}。如确实这样打了，请叫裁判。",
    },
    "trump_unexpected": {
        "en": "The trump suit of hand {number} is {due}; you wrote {trump}. If it was played so, call a referee.",
        "zh": "第 {number} 副的主花色是{due}，你写的是{trump}。如确实这样打了，请叫裁判。",
    },
    "lead_too_small": {
        "en": "The lead is {lead} levels; {needed} are needed.",
        "zh": "只领先 {lead} 级，须领先 {needed} 级。",
    },
    "lead_not_here": {
        "en": "This match is not won by a lead of levels.",
        "zh": "本场不以领先级数定胜负。",
    },
    "hands_too_few": {
        "en": "Only {played} of {hands} hands are played.",
        "zh": "应打 {hands} 副，只打了 {played} 副。",
    },
    "gain_without_side": {
        "en": "Say which side gains the levels.",
        "zh": "请写明由哪一方升级。",
    },
    "penalty_zero": {
        "en": "A level penalty changes at least one level.",
        "zh": "级别处罚至少为一级。",
    },
    "no_cards": {"en": "Name the cards.", "zh": "请写明是哪些牌。"},
    "mixed_categories": {
        "en": "Cards that are led or read together belong to one suit, or are all trumps.",
        "zh": "一手牌须为同一门花色，或全为主牌。",
    },
    "not_comparable": {
        "en": "Side cards of different suits have no order; ask for one suit and the trumps.",
        "zh": "不同花色的副牌无从比较，请只写一门花色与主牌。",
    },
    "reading_not_there": {
        "en": "The cards cannot be read in this way; they are {readings}.",
        "zh": "这些牌不能这样读，应为：{readings}。",
    },
    "too_large": {
        "en": "Too many cards of one category: more than {states} ways to read them.",
        "zh": "同一类别的牌太多，读法超过 {states} 种。",
    },
    "too_many_plays": {
        "en": "There are {count} legal plays; at most {most} are listed.",
        "zh": "合法出法有 {count} 种，至多列出 {most} 种。",
    },
    "card_not_held": {
        "en": "{cards} {verb} not in the hand.",
        "zh": "手中没有 {cards}。",
    },
    "hand_too_small": {
        "en": "The hand has {held} cards, the lead {led}.",
        "zh": "手中只有 {held} 张，领出了 {led} 张。",
    },
    "not_a_throw": {
        "en": "These cards are one shape; that is a lead, not a throw.",
        "zh": "这些牌是单一牌型，直接领出即可，不是甩牌。",
    },
    "throw_mixed_not_here": {
        "en": "Here a throw holds singles only.",
        "zh": "本规则甩牌只能是单张。",
    },
    "plays_differ": {
        "en": "{value} cards were led; {seat} played {cards}.",
        "zh": "领出 {value} 张，{seat}家出了 {cards} 张。",
    },
    "out_of_turn": {
        "en": "After {before} it is the turn of {due}.",
        "zh": "{before}家之后应轮到{due}家。",
    },
    "too_many_hands": {
        "en": "There are three other hands.",
        "zh": "其他只有三家。",
    },
    "declare_taken": {
        "en": "{seat} has declared; after one declaration nobody else may.",
        "zh": "{seat}已经亮主，其他人不能再亮。",
    },
    "declare_late": {"en": "It is too late to declare.", "zh": "已经过了亮主的时候。"},
    "declare_cards": {
        "en": "A declaration shows one {level}, or identical ones.",
        "zh": "亮主要亮出一张 {level}，或几张相同的 {level}。",
    },
    "declare_outright": {
        "en": "No-trump cannot be declared here; it comes by a counter only.",
        "zh": "这里不能直接亮无主，只能反成无主。",
    },
    "declare_dealer_first": {
        "en": "The dealer declares first; an attacker may once the dealer cannot.",
        "zh": "庄家优先亮主，庄家亮不出，闲家才能亮。",
    },
    "joker_missing": {"en": "One joker must be shown with level cards.", "zh": "亮级牌时须同时亮一张王。"},
    "joker_colour": {"en": "With this suit {card} must be shown.", "zh": "这门花色须带{card}。"},
    "reinforce_nothing": {"en": "Nobody has declared; there is nothing to reinforce.", "zh": "没有人亮主，无从加固。"},
    "reinforce_by_other": {"en": "Only {seat}, who declared, may reinforce.", "zh": "只有亮主的{seat}可以加固。"},
    "reinforce_late": {
        "en": "A declaration is reinforced while cards are drawn and before a counter.",
        "zh": "加固须在抓牌中、被反之前。",
    },
    "reinforce_cards": {"en": "To reinforce, show another {card}.", "zh": "加固须再亮一张{card}。"},
    "counter_nothing": {"en": "Nobody has declared; there is nothing to counter.", "zh": "没有人亮主，无从反主。"},
    "counter_not_here": {"en": "Nothing counters in these rules.", "zh": "本规则没有反主。"},
    "counter_flipped": {"en": "The kitty was turned; nobody may counter.", "zh": "已经翻底，不能再反。"},
    "counter_drawing": {
        "en": "Counters begin when all cards are drawn.",
        "zh": "抓完牌之后才能反主。",
    },
    "counter_first_hand": {
        "en": "In the first hand nobody may counter after the kitty was taken.",
        "zh": "第一副拿底之后不能再反。",
    },
    "counter_before_burial": {
        "en": "Counters have to wait until the kitty is buried.",
        "zh": "须等埋完底才能反主。",
    },
    "counter_after_kitty": {
        "en": "Countering ends before the kitty is taken.",
        "zh": "拿底之后不能再反。",
    },
    "counter_closed": {"en": "All have passed; countering is over.", "zh": "四家都不反，反主已经结束。"},
    "counter_not_identical": {"en": "The cards of a counter must be identical.", "zh": "反主所亮的牌必须完全相同。"},
    "counter_cards": {
        "en": "These cards do not counter; show identical {level}s or jokers of the numbers the rules name.",
        "zh": "这些牌不能反主；须亮出规则所列张数的相同 {level} 或王。",
    },
    "counter_too_low": {"en": "A counter must be higher than what stands.", "zh": "反主必须大于已有的亮主或反主。"},
    "counter_own": {
        "en": "The declarer may counter only after somebody else has.",
        "zh": "亮主者须等别人反过之后才能反。",
    },
    "counter_twice": {"en": "Nobody may counter twice running.", "zh": "不能连续反主。"},
    "counter_declarer": {"en": "The declarer may not counter in this hand.", "zh": "亮主者本副不能反主。"},
    "counter_declarer_cards": {
        "en": "The declarer may not counter with these cards.",
        "zh": "亮主者不能用这些牌反主。",
    },
    "counter_own_burial": {
        "en": "A player who has just buried may counter only after somebody else has.",
        "zh": "刚埋完底的玩家，须等别人反过之后才能反。",
    },
    "counter_joker_final": {
        "en": "After a counter with jokers nobody may counter any more.",
        "zh": "用王反主之后不能再反。",
    },
    "passed_before": {
        "en": "This player has passed, or was passed over; the right comes back only after a counter.",
        "zh": "该玩家已经表示不反（不亮），有人反主之后才再有机会。",
    },
    "not_your_turn": {"en": "It is the turn of {seat}.", "zh": "现在轮到{seat}。"},
    "pass_not_now": {"en": "Nobody is asked now.", "zh": "现在没有询问，不用表态。"},
    "name_missing": {"en": "Name the trump suit.", "zh": "请指定主花色。"},
    "name_not_now": {"en": "Nobody names the trump suit now.", "zh": "现在不能口头指定主花色。"},
    "name_by_other": {
        "en": "{seat}, the partner of the dealer, names the trump suit.",
        "zh": "由庄家的对家{seat}指定主花色。",
    },
    "kitty_not_here": {"en": "These rules have no kitty.", "zh": "本规则没有底牌。"},
    "kitty_not_now": {"en": "Nobody takes the kitty or buries now.", "zh": "现在不能拿底、埋底。"},
    "kitty_before_trump": {
        "en": "Nobody has declared; the trumps are settled before the kitty is taken.",
        "zh": "没有人亮主，定主之后才能拿底。",
    },
    "kitty_of_other": {"en": "The kitty belongs to {seat} now.", "zh": "现在应由{seat}拿底、埋底。"},
    "kitty_taken": {"en": "The kitty is already taken.", "zh": "底牌已经拿起。"},
    "bury_before_taking": {"en": "The kitty is taken before cards are buried.", "zh": "先拿底，再埋底。"},
    "bury_count": {"en": "{due} cards are buried; these are {value}.", "zh": "应埋 {due} 张，这里是 {value} 张。"},
    "flip_declared": {"en": "Somebody declared; the kitty is not turned.", "zh": "已有人亮主，不翻底。"},
    "flip_not_here": {"en": "These rules do not turn the kitty.", "zh": "本规则不翻底。"},
    "flip_not_now": {
        "en": "The kitty is turned only when all have been asked.",
        "zh": "问完四家都不亮，才能翻底。",
    },
    "flip_too_many": {
        "en": "The kitty has {due} cards; these are {value}.",
        "zh": "底牌 {due} 张，这里是 {value} 张。",
    },
    "flip_redeal": {
        "en": "Nobody declared in the first hand: it is dealt again, nothing is turned.",
        "zh": "第一副无人亮主应重新发牌，不翻底。",
    },
    "flip_more": {"en": "These cards decide nothing yet; turn the next one.", "zh": "还不能定主，请再翻一张。"},
    "rebellion_early": {
        "en": "Trumps are counted when all countering is over; rebel then.",
        "zh": "所有人都不反之后才能造反。",
    },
    "rebellion_buried": {"en": "A player who buried the kitty may not rebel.", "zh": "埋过底的玩家不能造反。"},
    "rebel_count": {
        "en": "A rebel shows all {due} cards; these are {value}.",
        "zh": "造反要亮出全部 {due} 张牌，这里是 {value} 张。",
    },
    "rebel_unproved": {
        "en": "Show the whole hand, or enter its points and trumps as counted.",
        "zh": "请亮出全部手牌，或填写所数的分数与主牌张数。",
    },
    "auction_over": {"en": "The hand is dealt again; nothing more belongs to it.", "zh": "本副重新发牌，不能再录。"},
    "irregularity_unclear": {
        "en": "The schedule has no case of {what} for these facts.",
        "zh": "处罚表没有与这些情况相符的“{what}”条目。",
    },
    "unknown_penalty_case": {
        "en": "The schedule has no case called {value}.",
        "zh": "处罚表没有名为 {value} 的条目。",
    },
    "bad_penalty": {
        "en": "A ladder is a list of penalties, each with a unit ({units}) and what belongs to it.",
        "zh": "处罚应为一个列表，每项写明单位（{units}）及其内容。",
    },
    "unknown_op": {"en": "There is no question called {value}.", "zh": "没有名为 {value} 的问题。"},
    "bad_question": {
        "en": "A question is an object with profile and input.",
        "zh": "问题应是含 profile 与 input 的对象。",
    },
}


def message(code: str, words: Mapping[str, Any]) -> Text:
    """The sentence of a code; `words` are texts (both languages) or plain values."""
    filled = {}
    for language in ("en", "zh"):
        values = {name: word[language] if isinstance(word, Mapping) else word for name, word in words.items()}
        template = MESSAGES[code][language]
        sentence = template.format(**values)
        filled[language] = sentence[:1].upper() + sentence[1:] if template.startswith("{what}") else sentence
    return filled
