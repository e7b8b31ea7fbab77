"""Who plays and who officiates in the demonstration. Every name is invented."""

from __future__ import annotations

from typing import Final

NAME: Final = "城市升级公开赛（演示）"
NAME_LATIN: Final = "City Shengji Open (demonstration)"
PLACE: Final = "市民活动中心 / Civic Hall"
SLUG: Final = "city-open"

ORGANISER: Final = ("demo-organiser", "林晓 Lin Xiao")
REFEREES: Final = (("demo-referee-1", "周正 Zhou Zheng"), ("demo-referee-2", "Maria Santos"))

# name and Latin name of both players, and the unit they play for
PAIRS: Final = (
    (("王建国", "Wang Jianguo"), ("李秀英", "Li Xiuying"), "东城棋牌社"),
    (("张伟", "Zhang Wei"), ("刘芳", "Liu Fang"), "地铁三号线"),
    (("Emma Clarke", ""), ("James Okafor", ""), "Riverside Club"),
    (("陈思远", "Chen Siyuan"), ("杨雪", "Yang Xue"), "理工大学"),
    (("赵磊", "Zhao Lei"), ("黄丽", "Huang Li"), "中心医院"),
    (("Lucas Martin", ""), ("Sofia Rossi", ""), "Riverside Club"),
    (("周涛", "Zhou Tao"), ("吴敏", "Wu Min"), "邮政局"),
    (("徐静", "Xu Jing"), ("孙浩", "Sun Hao"), "东城棋牌社"),
    (("马超", "Ma Chao"), ("朱琳", "Zhu Lin"), "理工大学"),
    (("胡勇", "Hu Yong"), ("郭婷", "Guo Ting"), "铁路局"),
    (("Daniel Weber", ""), ("何梦", "He Meng"), "Sunday Table"),
    (("高峰", "Gao Feng"), ("罗兰", "Luo Lan"), "中心医院"),
    (("郑凯", "Zheng Kai"), ("梁燕", "Liang Yan"), "图书馆"),
    (("Olivia Novak", ""), ("Ben Tanaka", ""), "Sunday Table"),
    (("谢宁", "Xie Ning"), ("唐悦", "Tang Yue"), "邮政局"),
    (("欧阳明月", "Ouyang Mingyue"), ("许诺", "Xu Nuo"), "铁路局"),
)
