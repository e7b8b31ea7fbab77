-- Turns the ledger, the history and the kept answers into sixteen hash partitions each: the first two by event, the last
-- by whose keys they are. For one maintenance window, with a backup made before and nothing else connected; run by the role
-- that migrates, on PostgreSQL 17 or newer (docs/operating.md, "Large tables"):
--
--     psql --set ON_ERROR_STOP=1 --single-transaction "$DATABASE_URL" --file partition.sql
--
-- It is one transaction: it happens whole or not at all. Indexes, keys, checks, guards and rights are taken from the
-- tables as they stand. Two things change their form. A primary key holds the partition's column too, so that an
-- id alone is unique by the sequence that gives it. And what pointed at ids of the ledger by a foreign key does so by a
-- guard: it refuses what is not there, and an entry that something points at cannot go.

CREATE PROCEDURE pg_temp.partition_by_hash(whole text, by_column text, parts integer) LANGUAGE plpgsql AS $partition$
DECLARE
    old oid := whole::regclass;
    kept text := whole || '_whole';
    sequence text := pg_get_serial_sequence(whole, 'id');
    last bigint;
    one record;
    again text[] := '{}';
    guards text[] := '{}';
    of_sequence text[] := '{}';
    listed text;
    number integer;
    before bigint;
    after bigint;
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = old) = 'p' THEN
        RAISE NOTICE '% has partitions already', whole;
        RETURN;
    END IF;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', whole);
    EXECUTE format('SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM %s', sequence) INTO last;

    -- what points here from outside, and from the table to itself: by guards from now on
    FOR one IN
        SELECT c.conname, c.conrelid::regclass::text AS pointing, a.attname AS points
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.confrelid = old AND c.contype = 'f' ORDER BY c.conname
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.pointing, one.conname);
        guards := guards || format($guard$
            CREATE FUNCTION guard_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN
                IF NOT EXISTS (SELECT 1 FROM %2$I p WHERE p.id = NEW.%4$I) THEN
                    RAISE EXCEPTION '%1$s: there is no such row' USING ERRCODE = 'foreign_key_violation';
                END IF;
                RETURN NULL;
            END
            $body$;
            CREATE CONSTRAINT TRIGGER %1$s AFTER INSERT OR UPDATE ON %3$s DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.%4$I IS NOT NULL) EXECUTE FUNCTION guard_%1$s();
            CREATE FUNCTION guard_%1$s_from() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN
                IF EXISTS (SELECT 1 FROM %3$s p WHERE p.%4$I = OLD.id) THEN
                    RAISE EXCEPTION '%1$s: something points at this row' USING ERRCODE = 'foreign_key_violation';
                END IF;
                RETURN NULL;
            END
            $body$;
            CREATE CONSTRAINT TRIGGER %1$s_from AFTER DELETE ON %2$I DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION guard_%1$s_from();
        $guard$, left(one.points || '_of_' || replace(replace(one.pointing, 'tournaments_', ''), '"', ''), 40),
            whole, one.pointing, one.points);
    END LOOP;

    -- the rest as the database itself words it
    FOR one IN
        SELECT conname, contype, pg_get_constraintdef(oid) AS words FROM pg_constraint
        WHERE conrelid = old AND contype IN ('u', 'f') ORDER BY contype DESC, conname
    LOOP
        again := again || format('ALTER TABLE %I ADD CONSTRAINT %I %s', whole, one.conname, one.words);
    END LOOP;
    FOR one IN
        SELECT pg_get_indexdef(i.indexrelid) AS words FROM pg_index i
        WHERE i.indrelid = old AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = old)
    LOOP
        again := again || one.words;
    END LOOP;
    FOR one IN SELECT pg_get_triggerdef(oid) AS words FROM pg_trigger WHERE tgrelid = old AND NOT tgisinternal ORDER BY tgname
    LOOP
        again := again || one.words;
    END LOOP;
    FOR one IN
        SELECT c.oid::regclass::text AS thing, c.relkind, g.privilege_type, g.grantee
        FROM pg_class c, aclexplode(c.relacl) g WHERE c.oid IN (old, sequence::regclass) AND g.grantee NOT IN (0, c.relowner)
    LOOP
        listed := format('GRANT %s ON %s %s TO %s', one.privilege_type,
            CASE one.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, one.thing, one.grantee::regrole);
        IF one.relkind = 'S' THEN of_sequence := of_sequence || listed; ELSE again := again || listed; END IF;
    END LOOP;

    EXECUTE format('ALTER TABLE %I RENAME TO %I', whole, kept);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMMENTS)'
        ' PARTITION BY HASH (%I)', whole, kept, by_column);
    FOR number IN 0 .. parts - 1 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
            whole || '_' || to_char(number, 'FM00'), whole, parts, number);
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO listed
        FROM pg_attribute WHERE attrelid = old AND attnum > 0 AND NOT attisdropped;
    EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM %I ORDER BY id', whole, listed, listed, kept);
    GET DIAGNOSTICS after = ROW_COUNT;
    EXECUTE format('SELECT count(*), count(DISTINCT id) = count(*) FROM %I', kept) INTO one;
    before := one.count;
    ASSERT before = after, 'rows were lost';
    EXECUTE format('DROP TABLE %I', kept);
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id, %I)', whole, by_column);
    EXECUTE format('ALTER TABLE %I ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME %s START %s)', whole, sequence, last);
    FOREACH listed IN ARRAY again || of_sequence || guards LOOP
        EXECUTE listed;
    END LOOP;
    RAISE NOTICE '%: % rows', whole, after;
END
$partition$;

SET lock_timeout = '10s';
SET statement_timeout = 0;
CALL pg_temp.partition_by_hash('tournaments_ledgerentry', 'tournament_id', 16);
CALL pg_temp.partition_by_hash('tournaments_historyentry', 'tournament_id', 16);
CALL pg_temp.partition_by_hash('tournaments_savedanswer', 'scope', 16);
