-- The history when it has grown: how states are found in many days, and what the maintainer does.

-- The partitions of a table by day, with the days they hold: one, or a month.
CREATE FUNCTION ${schema}.naksha_partitions(parent text,
    OUT leaf oid, OUT name text, OUT part text, OUT first_day date, OUT end_day date)
  RETURNS SETOF record LANGUAGE sql STABLE AS $$
SELECT p.leaf, p.name, p.part, p.first_day,
    CASE length(p.part) WHEN 7 THEN (p.first_day + interval '1 month')::date
      ELSE p.first_day + 1 END
  FROM (SELECT c.oid AS leaf, c.relname::text AS name, s.part,
      make_date(left(s.part, 4)::int, substr(s.part, 6, 2)::int,
        coalesce(nullif(substr(s.part, 9), ''), '1')::int) AS first_day
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
      LATERAL (SELECT substr(c.relname::text, length(parent) + 2) AS part) AS s
    WHERE i.inhparent = format('${schema}.%I', parent)::regclass) AS p
  ORDER BY p.name
$$;

-- Writes down the id of a state that came into a day that was sealed.
CREATE FUNCTION ${schema}.naksha_history_late() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO ${schema}.%I SELECT $1, $2 WHERE $1 IS NOT NULL '
    'ON CONFLICT DO NOTHING', TG_ARGV[0]) USING NEW.jsondata->>'id', TG_ARGV[1];
  RETURN NULL;
END $$;

-- Which ids have states in which part of the history. Only for parts that are sealed, so that
-- writing today costs nothing more.
CREATE FUNCTION ${schema}.naksha_history_ids(c text) RETURNS text
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  ids text := c || '_hst_ids';
BEGIN
  IF to_regclass(format('${schema}.%I', ids)) IS NULL THEN
    PERFORM ${schema}.naksha_lock(ids);
    EXECUTE format('CREATE TABLE IF NOT EXISTS ${schema}.%I (id text COLLATE "C" NOT NULL, '
      'part text COLLATE "C" NOT NULL, PRIMARY KEY (id, part))', ids);
  END IF;
  RETURN ids;
END $$;

-- Seals a part of the history: notes which ids it has. The trigger says that it is sealed, and notes
-- what comes late. Making it waits for those who write there, so no row slips through.
CREATE FUNCTION ${schema}.naksha_history_seal(c text, part text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  leaf text := c || '_hst_' || part;
  ids text := ${schema}.naksha_history_ids(c);
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER naksha_late AFTER INSERT OR UPDATE ON ${schema}.%I '
    'FOR EACH ROW EXECUTE FUNCTION ${schema}.naksha_history_late(%L, %L)', leaf, ids, part);
  EXECUTE format('INSERT INTO ${schema}.%I SELECT DISTINCT jsondata->>''id'', %L FROM ${schema}.%I '
    'WHERE jsondata->>''id'' IS NOT NULL ON CONFLICT DO NOTHING', ids, part, leaf);
END $$;

CREATE FUNCTION ${schema}.naksha_is_sealed(leaf oid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = leaf AND tgname = 'naksha_late')
$$;

-- The tables that can have states of some features that were replaced in or after a transaction:
-- those that aren't sealed, and those of the sealed ones in which the ids are. A query of these alone
-- is planned in no time; one of the whole history has to consider every day there is.
--
-- They can't go away until the transaction has ended. If that is of an older moment than a merge of
-- days, which has moved rows that it can't see, it has to begin anew.
CREATE FUNCTION ${schema}.naksha_history_tables(c text, ids text[], since bigint)
  RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  -- Days and months are compared as text, which a year of them is quick for.
  -- The number before the first of a month has the day 00, which is no date.
  since_part text := regexp_replace(lpad((greatest(since, 0) / 100000000000)::text, 8, '0'),
    '(....)(..)(..)', '\1_\2_\3');
  known text[];
  tables text[];
  gone boolean;
BEGIN
  EXECUTE format('LOCK TABLE ${schema}.%I IN ACCESS SHARE MODE', c || '_hst');
  IF to_regclass(format('${schema}.%I', c || '_hst_ids')) IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(DISTINCT part) FROM ${schema}.%I WHERE id = ANY ($1)',
      c || '_hst_ids') INTO known USING ids;
  END IF;
  SELECT array_agg(p.name ORDER BY p.name), bool_or(pg_table_is_visible(p.leaf) IS NULL)
    INTO tables, gone
    FROM (SELECT t.oid AS leaf, t.relname::text AS name,
        substr(t.relname::text, length(c) + 6) COLLATE "C" AS part
      FROM pg_inherits i JOIN pg_class t ON t.oid = i.inhrelid
      WHERE i.inhparent = format('${schema}.%I', c || '_hst')::regclass OFFSET 0) AS p
    WHERE p.part >= left(since_part, length(p.part))
      AND (p.part = ANY (known) OR NOT EXISTS (
        SELECT FROM pg_trigger g WHERE g.tgrelid = p.leaf AND g.tgname = 'naksha_late'));
  IF gone THEN
    RAISE EXCEPTION 'the history of collection ''%'' was rearranged meanwhile', c
      USING ERRCODE = '40001';
  END IF;
  RETURN QUERY SELECT unnest(tables);
END $$;

-- The rows that seem to be there at a version while their feature has another one, made by a later
-- transaction. A transaction may take its number, wait, and then replace what one with a higher
-- number has made: until then the state before that was there, and from its own number on its own,
-- so for some numbers both. That is known by the state in between, which was made after the version
-- and replaced before it; nobody is under way for a week. As a rule there is none, and finding that
-- out is all that is done. Some transactions may be taken for not done.
CREATE FUNCTION ${schema}.naksha_overtaken(c text, version bigint, unseen bigint[] DEFAULT '{}')
  RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  txn CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn'')::bigint';
  next CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint';
  day CONSTANT bigint := version / 100000000000;
  since bigint := 0;
  ids text[];
  overtaken bigint[];
BEGIN
  IF day >= 19700101 THEN
    -- The number before the first of a month has the day 00, which is no date.
    since := ${schema}.naksha_txn((make_date((day / 10000)::int, (day / 100 % 100)::int, 1)
      + (day % 100)::int - 8)::timestamp AT TIME ZONE 'UTC', 0);
  END IF;
  -- Literals, so that other days aren't even locked.
  EXECUTE format('SELECT array_agg(DISTINCT jsondata->>''id'') FROM ${schema}.%I '
    'WHERE %s > %s AND %s BETWEEN %s AND %s', c || '_hst', txn, version, next, since, version)
    INTO ids;
  IF ids IS NULL THEN
    RETURN '{}';
  END IF;
  EXECUTE format('SELECT coalesce(array_agg(i), ''{}'') FROM (SELECT i, row_number() OVER '
    '(PARTITION BY jsondata->>''id'' ORDER BY %3$s DESC, i DESC) AS place FROM '
    '(SELECT i, jsondata FROM ${schema}.%1$I UNION ALL SELECT i, jsondata FROM ${schema}.%2$I '
    'WHERE %4$s > %5$s OR %4$s = ANY ($2)) AS there WHERE (jsondata->>''id'') COLLATE "C" = ANY ($1) '
    'AND %3$s <= %5$s AND %3$s <> ALL ($2)) AS ranked WHERE place > 1',
    c, c || '_hst', txn, next, version) INTO overtaken USING ids, unseen;
  RETURN overtaken;
END $$;

-- Drops a part of the history.
CREATE FUNCTION ${schema}.naksha_history_drop(c text, part text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  EXECUTE format('DROP TABLE ${schema}.%I', c || '_hst_' || part);
  IF to_regclass(format('${schema}.%I', c || '_hst_ids')) IS NOT NULL THEN
    EXECUTE format('DELETE FROM ${schema}.%I WHERE part = $1', c || '_hst_ids') USING part;
  END IF;
END $$;

-- Makes one table of the days of a month, and says how many rows it has. Readers of the history wait
-- only at the end, while tables change places.
CREATE FUNCTION ${schema}.naksha_history_merge(c text, month date) RETURNS bigint
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  part text := to_char(month, 'YYYY_MM');
  name text := c || '_hst_' || part;
  days text[];
  day text;
  key text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint';
  low bigint := ${schema}.naksha_txn(month::timestamp AT TIME ZONE 'UTC', 0);
  high bigint := ${schema}.naksha_txn((month + interval '1 month') AT TIME ZONE 'UTC', 0);
  moved bigint := 0;
  n bigint;
BEGIN
  SELECT array_agg(p.name) INTO days FROM ${schema}.naksha_partitions(c || '_hst') AS p
    WHERE p.first_day >= month AND p.end_day <= (month + interval '1 month')::date;
  EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.%I INCLUDING ALL)', name, c || '_hst');
  FOREACH day IN ARRAY days LOOP
    EXECUTE format('LOCK TABLE ${schema}.%I IN SHARE MODE', day);
    EXECUTE format('INSERT INTO ${schema}.%I SELECT * FROM ${schema}.%I', name, day);
    GET DIAGNOSTICS n = ROW_COUNT;
    moved := moved + n;
  END LOOP;
  PERFORM ${schema}.naksha_history_keys(name);
  -- So that attaching doesn't read it all again.
  EXECUTE format('ALTER TABLE ${schema}.%1$I ADD CONSTRAINT of_the_month '
    'CHECK (%2$s IS NOT NULL AND %2$s >= %3$s AND %2$s < %4$s)', name, key, low, high);
  EXECUTE format('ANALYZE ${schema}.%I', name);
  EXECUTE 'DROP TABLE ' || (SELECT string_agg(format('${schema}.%I', d), ', ') FROM unnest(days) d);
  EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I FOR VALUES FROM (%s) TO (%s)',
    c || '_hst', name, low, high);
  EXECUTE format('ALTER TABLE ${schema}.%I DROP CONSTRAINT of_the_month', name);
  IF to_regclass(format('${schema}.%I', c || '_hst_ids')) IS NOT NULL THEN
    EXECUTE format('DELETE FROM ${schema}.%I WHERE starts_with(part, $1)', c || '_hst_ids')
      USING part || '_';
  END IF;
  PERFORM ${schema}.naksha_history_seal(c, part);
  RETURN moved;
END $$;

-- Days of the log that had transactions and were dropped, so that what needs them can be refused
-- instead of answered wrongly. What was dropped had ended when dropped_by dropped it.
CREATE TABLE ${schema}.naksha_tx_dropped (
  day date PRIMARY KEY,
  last_xid bigint NOT NULL,
  dropped_by bigint NOT NULL
);

-- Drops a day of the log, unless it has transactions without a number.
CREATE FUNCTION ${schema}.naksha_tx_drop(day date) RETURNS boolean
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  name text := 'naksha_tx' || to_char(day, '_YYYY_MM_DD');
  waiting boolean;
BEGIN
  EXECUTE format('LOCK TABLE ${schema}.%I IN ACCESS EXCLUSIVE MODE', name);
  EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I WHERE seq_number IS NULL)', name)
    INTO waiting;
  IF NOT waiting THEN
    -- A load that ends late may have made a day anew.
    EXECUTE format('INSERT INTO ${schema}.naksha_tx_dropped AS d SELECT $1, max(psql_id), '
      'pg_current_xact_id()::text::bigint FROM ${schema}.%I HAVING count(*) > 0 ON CONFLICT (day) '
      'DO UPDATE SET last_xid = greatest(d.last_xid, excluded.last_xid), '
      'dropped_by = excluded.dropped_by', name) USING day;
    EXECUTE format('DROP TABLE ${schema}.%I', name);
    DELETE FROM ${schema}.naksha_tx_days d WHERE d.day = $1;
  END IF;
  RETURN NOT waiting;
END $$;

-- Counts and measures what is in a collection.
CREATE FUNCTION ${schema}.naksha_collection_measure(c text) RETURNS jsonb
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  measured jsonb;
BEGIN
  EXECUTE format('SELECT jsonb_build_object(''estimatedFeatureCount'', count(*), '
    '''byteSize'', coalesce(max(octet_length(jsondata::text)), 0), '
    '''compressedSize'', coalesce(max(pg_column_size(jsondata)), 0)) FROM ${schema}.%I', c)
    INTO measured;
  RETURN measured;
END $$;

-- How many features there are in each part of the world, divided until a part has fewer than so
-- many, or can't be divided. By the qrid, so each feature counts once.
CREATE FUNCTION ${schema}.naksha_by_qrid(c text, most bigint) RETURNS jsonb
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  qrid CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''qrid'') COLLATE "C"';
  counting text := format('SELECT count(*) FROM (SELECT FROM ${schema}.%1$I '
    'WHERE %2$s >= $1 AND %2$s < $2 LIMIT $3) AS found', c, qrid);
  todo text[] := ARRAY[''];
  parts text[] := '{}';
  counts bigint[] := '{}';
  prefix text;
  n bigint;
BEGIN
  WHILE cardinality(todo) > 0 LOOP
    prefix := todo[cardinality(todo)];
    todo := todo[1:cardinality(todo) - 1];
    EXECUTE counting INTO n
      USING prefix, prefix || '4', CASE WHEN length(prefix) < 31 THEN most END;
    IF n >= most AND length(prefix) < 31 THEN
      -- The world is the upper half of a square, so it has two quarters only.
      todo := todo || CASE prefix WHEN '' THEN ARRAY['1', '0']
        ELSE ARRAY[prefix || '3', prefix || '2', prefix || '1', prefix || '0'] END;
    ELSIF n > 0 THEN
      parts := array_append(parts, prefix);
      counts := array_append(counts, n);
    END IF;
  END LOOP;
  RETURN (SELECT coalesce(jsonb_object_agg(u.part, u.n), '{}') FROM unnest(parts, counts) AS u(part, n));
END $$;

-- Keeps something that is known of a collection beside it.
CREATE FUNCTION ${schema}.naksha_collection_meta(c text, id text, properties jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  EXECUTE format('INSERT INTO ${schema}.%I AS m (i, jsondata) VALUES (nextval(%L), $1) '
    'ON CONFLICT (((jsondata->>''id'')) COLLATE "C") DO UPDATE SET jsondata = excluded.jsondata',
    c || '_meta', format('${schema}.%I', c || '_i_seq'))
    USING jsonb_build_object('id', id, 'type', 'Feature', 'properties', properties);
END $$;

-- Puts what was measured into the info and into _meta. It is no change of the collection, so neither
-- its txn nor the log says so.
CREATE FUNCTION ${schema}.naksha_collection_measured(c text, measured jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  info jsonb;
BEGIN
  PERFORM ${schema}.naksha_lock('collection ' || c);
  info := ${schema}.naksha_collection_find(c);
  EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', c, (info || measured)::text);
  PERFORM ${schema}.naksha_collection_meta(c, 'statistics', measured || jsonb_build_object(
    'measuredAt', (date_part('epoch', current_timestamp) * 1000)::bigint));
END $$;
