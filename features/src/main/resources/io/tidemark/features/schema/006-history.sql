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
    PERFORM ${schema}.naksha_rights_as(ids, c || '_hst');
  END IF;
  RETURN ids;
END $$;

CREATE FUNCTION ${schema}.naksha_is_sealed(leaf oid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = leaf AND tgname = 'naksha_late')
$$;

-- Keys for those who look for places or tags at a version, and for deletions; see naksha_created_anew.
-- They are made when a day is over, so that writing today costs nothing more. A part without rows
-- needs none.
CREATE FUNCTION ${schema}.naksha_history_past_keys(leaf text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  xyz CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->';
  filled boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I)', leaf) INTO filled;
  IF filled THEN
    EXECUTE format('CREATE INDEX ON ${schema}.%I USING gist (geo)', leaf);
    EXECUTE format('CREATE INDEX ON ${schema}.%I USING gin (%s''tags''))', leaf, xyz);
    EXECUTE format('CREATE INDEX ON ${schema}.%1$I ((%2$s>''txn_next'')::bigint)) '
      'WHERE %2$s>''action'') = ''DELETE''', leaf, xyz);
    -- How often a tag is there is known only then, and nobody writes there any more who would have
    -- autovacuum look.
    EXECUTE format('ANALYZE ${schema}.%I', leaf);
  END IF;
END $$;

-- Seals a part of the history: notes which ids it has. The trigger says that it is sealed, and notes
-- what comes late. Making it waits for those who write there, so no row slips through.
CREATE FUNCTION ${schema}.naksha_history_seal(c text, part text, relation text DEFAULT NULL)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  leaf text := coalesce(relation, c || '_hst_' || part);
  ids text := ${schema}.naksha_history_ids(c);
  known boolean := ${schema}.naksha_is_sealed(format('${schema}.%I', leaf)::regclass);
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER naksha_late AFTER INSERT OR UPDATE ON ${schema}.%I '
    'FOR EACH ROW EXECUTE FUNCTION ${schema}.naksha_history_late(%L, %L)', leaf, ids, part);
  EXECUTE format('INSERT INTO ${schema}.%I SELECT DISTINCT jsondata->>''id'', %L FROM ${schema}.%I '
    'WHERE jsondata->>''id'' IS NOT NULL ON CONFLICT DO NOTHING', ids, part, leaf);
  IF NOT known THEN
    PERFORM ${schema}.naksha_history_past_keys(leaf);
  END IF;
END $$;

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

-- The ids of features that were deleted within a week after a version, and have a state there that was
-- made within a week before it and isn't the one that was deleted: whoever made it did so later.
CREATE FUNCTION ${schema}.naksha_created_anew(c text, version bigint, since bigint, until bigint,
    among text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  xyz CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->>';
  states CONSTANT text := format('(SELECT jsondata->>''id'' AS id, %1$s''txn'')::bigint AS txn, '
    '%1$s''txn_next'')::bigint AS next, %1$s''action'') AS action FROM ${schema}.%%I%2$s)', xyz,
    CASE WHEN among IS NULL THEN '' ELSE ' WHERE (jsondata->>''id'') COLLATE "C" = ANY ($1)' END);
  head CONSTANT text := format(states, c);
  history CONSTANT text := format(states, c || '_hst');
  deleted CONSTANT text := format('FROM %s AS d WHERE d.action = ''DELETE'' AND d.next > %s '
    'AND d.next < %s', history, version, until);
  found boolean;
  ids text[];
BEGIN
  EXECUTE 'SELECT EXISTS (SELECT ' || deleted || ')' INTO found USING among;
  IF found THEN
    EXECUTE format('SELECT array_agg(DISTINCT b.id) FROM (SELECT d.id, d.txn %s) AS d JOIN '
      '(SELECT * FROM %s AS h UNION ALL SELECT * FROM %s AS h WHERE h.next > %s) AS b '
      'ON b.id = d.id AND b.next <> d.txn WHERE b.txn BETWEEN %5$s AND %4$s',
      deleted, head, history, version, since) INTO ids USING among;
  END IF;
  RETURN ids;
END $$;

-- The rows that seem to be there at a version while their feature has another one, made by a later
-- transaction. A transaction may take its number, wait, and then write to what one with a higher
-- number has changed: until then the state before that was there, and from its own number on its own,
-- so for some numbers both. That is known by the state in between, which was made after the version
-- and replaced before it, or by a deletion in between; nobody is under way for a week. As a rule there
-- is none, and finding that out is all that is done. Some transactions may be taken for not done; if
-- ids are given, nothing else is looked at.
CREATE FUNCTION ${schema}.naksha_overtaken(c text, version bigint, unseen bigint[] DEFAULT '{}',
    among text[] DEFAULT NULL) RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  txn CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn'')::bigint';
  next CONSTANT text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint';
  day CONSTANT bigint := version / 100000000000;
  since bigint := 0;
  until bigint := 9223372036854775807;
  ids text[];
  overtaken bigint[];
BEGIN
  IF day BETWEEN 19700101 AND 92221231 THEN
    -- The number before the first of a month has the day 00, which is no date.
    SELECT ${schema}.naksha_txn((d - 8)::timestamp AT TIME ZONE 'UTC', 0),
        ${schema}.naksha_txn((d + 8)::timestamp AT TIME ZONE 'UTC', 0) INTO since, until
      FROM (SELECT make_date((day / 10000)::int, (day / 100 % 100)::int, 1) + (day % 100)::int) AS n(d);
  END IF;
  -- Literals, so that other days aren't even locked.
  EXECUTE format('SELECT array_agg(DISTINCT jsondata->>''id'') FROM ${schema}.%I '
    'WHERE %s > %s AND %s BETWEEN %s AND %s%s', c || '_hst', txn, version, next, since, version,
    CASE WHEN among IS NULL THEN '' ELSE ' AND (jsondata->>''id'') COLLATE "C" = ANY ($1)' END)
    INTO ids USING among;
  ids := ids || ${schema}.naksha_created_anew(c, version, since, until, among);
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

-- The first number of the day from which on all states are kept; 0 if none were ever dropped.
CREATE FUNCTION ${schema}.naksha_history_since(c text) RETURNS bigint
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  since bigint;
BEGIN
  EXECUTE format('SELECT (jsondata->''properties''->>''keptSince'')::bigint FROM ${schema}.%I '
    'WHERE (jsondata->>''id'') COLLATE "C" = ''history''', c || '_meta') INTO since;
  RETURN coalesce(since, 0);
END $$;

-- Lets nobody drop or merge parts of the history until the transaction has ended. If somebody has done
-- so since the moment that it is of, it would miss rows, and has to begin anew.
CREATE FUNCTION ${schema}.naksha_history_hold(c text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  -- HEAD first, as whoever purges the collection has it.
  EXECUTE format('LOCK TABLE ONLY ${schema}.%I IN ACCESS SHARE MODE', c);
  EXECUTE format('LOCK TABLE ONLY ${schema}.%I IN ACCESS SHARE MODE', c || '_hst');
  IF EXISTS (SELECT FROM pg_inherits i
      WHERE i.inhparent = format('${schema}.%I', c || '_hst')::regclass
        AND pg_table_is_visible(i.inhrelid) IS NULL) THEN
    RAISE EXCEPTION 'the history of collection ''%'' was rearranged meanwhile', c
      USING ERRCODE = '40001';
  END IF;
END $$;

-- Drops a part of the history, and notes from when on it is kept if states are lost with it. They were
-- replaced on the days that are dropped, so from the day after on nothing is missing.
CREATE FUNCTION ${schema}.naksha_history_drop(c text, part text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  leaf text := c || '_hst_' || part;
  filled boolean;
  since bigint;
BEGIN
  -- In the order of those who read the history, which DROP keeps to as well.
  EXECUTE format('LOCK TABLE ONLY ${schema}.%I IN ACCESS EXCLUSIVE MODE', c || '_hst');
  EXECUTE format('LOCK TABLE ${schema}.%I IN ACCESS EXCLUSIVE MODE', leaf);
  EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I)', leaf) INTO filled;
  IF filled THEN
    since := (SELECT ${schema}.naksha_txn(p.end_day::timestamp AT TIME ZONE 'UTC', 0)
      FROM ${schema}.naksha_partitions(c || '_hst') AS p WHERE p.part = $2);
    PERFORM ${schema}.naksha_collection_meta(c, 'history', jsonb_build_object('keptSince',
      greatest(since, ${schema}.naksha_history_since(c))));
  END IF;
  EXECUTE format('DROP TABLE ${schema}.%I', leaf);
  IF to_regclass(format('${schema}.%I', c || '_hst_ids')) IS NOT NULL THEN
    EXECUTE format('DELETE FROM ${schema}.%I WHERE part = $1', c || '_hst_ids') USING part;
  END IF;
END $$;

-- Merging the days of a month takes three transactions, so that nobody waits while rows are copied.
-- naksha_merge_begin makes a table apart, and triggers on the days that note which rows are changed
-- from then on; making them waits for those who write there, so no change slips through.
-- naksha_merge_copy copies all rows and builds keys, and locks nothing. naksha_merge_swap, under a
-- lock, copies again what was changed, and lets the tables change places.
--
-- The comment on the table apart says which days it is made of and whether they are copied. Whoever
-- is killed in between leaves it and the triggers: the next merge goes on from there, unless one of
-- the days has gone since, and a maintainer that isn't to merge undoes it.
CREATE TABLE ${schema}.naksha_merge_changes (
  relation text COLLATE "C" NOT NULL,
  i bigint NOT NULL
);
CREATE INDEX naksha_merge_changes_idx ON ${schema}.naksha_merge_changes (relation, i);

CREATE FUNCTION ${schema}.naksha_merge_note() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO ${schema}.naksha_merge_changes VALUES (TG_ARGV[0], OLD.i);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO ${schema}.naksha_merge_changes VALUES (TG_ARGV[0], NEW.i);
  END IF;
  RETURN NULL;
END $$;

-- No collection has a point in its name, so nobody else's table is called like that.
CREATE FUNCTION ${schema}.naksha_merge_table(c text, part text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 'naksha_merge_' || c || '.' || part $$;

-- The months of a collection whose merge has begun and not ended.
CREATE FUNCTION ${schema}.naksha_merges(c text) RETURNS SETOF text
  LANGUAGE sql STABLE AS $$
SELECT right(t.relname, 7) FROM pg_class t WHERE t.relnamespace = '${schema}'::regnamespace
  AND starts_with(t.relname, ${schema}.naksha_merge_table(c, '')) AND t.relkind = 'r' ORDER BY 1
$$;

-- What is known of a merge: its days, how many rows were copied (null if none yet).
CREATE FUNCTION ${schema}.naksha_merge_state(c text, part text, OUT days oid[], OUT copied bigint)
  LANGUAGE sql STABLE AS $$
SELECT ARRAY(SELECT d::oid FROM jsonb_array_elements_text(s.state->'days') AS d),
    (s.state->>'copied')::bigint
  FROM (SELECT obj_description(to_regclass(
    format('${schema}.%I', ${schema}.naksha_merge_table(c, part))), 'pg_class')::jsonb) AS s(state)
$$;

CREATE FUNCTION ${schema}.naksha_merge_days(c text, part text) RETURNS oid[]
  LANGUAGE sql VOLATILE AS $$
SELECT coalesce(array_agg(p.leaf ORDER BY p.name), '{}')
  FROM ${schema}.naksha_partitions(c || '_hst') AS p WHERE starts_with(p.part, $2 || '_')
$$;

CREATE FUNCTION ${schema}.naksha_merge_undo(c text, part text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  made text := ${schema}.naksha_merge_table(c, part);
  day oid;
BEGIN
  IF to_regclass(format('${schema}.%I', c || '_hst_ids')) IS NOT NULL THEN
    EXECUTE format('DELETE FROM ${schema}.%I AS n WHERE n.part = $1', c || '_hst_ids') USING part;
  END IF;
  DELETE FROM ${schema}.naksha_merge_changes n WHERE n.relation = made;
  EXECUTE format('DROP TABLE IF EXISTS ${schema}.%I', made);
  FOREACH day IN ARRAY ${schema}.naksha_merge_days(c, part) LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS naksha_merge ON %s', day::regclass);
  END LOOP;
END $$;

CREATE FUNCTION ${schema}.naksha_merge_begin(c text, part text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  made text := ${schema}.naksha_merge_table(c, part);
  days oid[] := ${schema}.naksha_merge_days(c, part);
  day oid;
BEGIN
  IF part IN (SELECT ${schema}.naksha_merges(c)) THEN
    IF (${schema}.naksha_merge_state(c, part)).days <@ days THEN
      RETURN; -- somebody was killed later on
    END IF;
    PERFORM ${schema}.naksha_merge_undo(c, part);
  END IF;
  EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.%I INCLUDING ALL)', made, c || '_hst');
  PERFORM ${schema}.naksha_rights_as(made, c || '_hst'); -- others may have to carry on
  EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', made,
    jsonb_build_object('days', to_jsonb(days)));
  FOREACH day IN ARRAY days LOOP
    EXECUTE format('CREATE TRIGGER naksha_merge AFTER INSERT OR UPDATE OR DELETE ON %s '
      'FOR EACH ROW EXECUTE FUNCTION ${schema}.naksha_merge_note(%L)', day::regclass, made);
  END LOOP;
END $$;

-- Says how many rows it copied, or another one had.
CREATE FUNCTION ${schema}.naksha_merge_copy(c text, part text) RETURNS bigint
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  made text := ${schema}.naksha_merge_table(c, part);
  month date := to_date(part, 'YYYY_MM');
  state record := ${schema}.naksha_merge_state(c, part);
  day oid;
  key text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint';
  rows bigint := 0;
  n bigint;
BEGIN
  IF state.copied IS NOT NULL THEN
    RETURN state.copied;
  END IF;
  FOREACH day IN ARRAY state.days LOOP
    EXECUTE format('INSERT INTO ${schema}.%I SELECT * FROM %s', made, day::regclass);
    GET DIAGNOSTICS n = ROW_COUNT;
    rows := rows + n;
  END LOOP;
  PERFORM ${schema}.naksha_history_keys(made);
  -- So that attaching doesn't read it all again.
  EXECUTE format('ALTER TABLE ${schema}.%1$I ADD CONSTRAINT of_the_month '
    'CHECK (%2$s IS NOT NULL AND %2$s >= %3$s AND %2$s < %4$s)', made, key,
    ${schema}.naksha_txn(month::timestamp AT TIME ZONE 'UTC', 0),
    ${schema}.naksha_txn((month + interval '1 month') AT TIME ZONE 'UTC', 0));
  PERFORM ${schema}.naksha_history_seal(c, part, made);
  EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', made,
    jsonb_build_object('days', to_jsonb(state.days), 'copied', rows));
  RETURN rows;
END $$;

-- Says how many rows the month has. What was noted of its days stays until naksha_merge_tidy: to
-- delete it takes long, and everybody would wait.
CREATE FUNCTION ${schema}.naksha_merge_swap(c text, part text) RETURNS bigint
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  made text := ${schema}.naksha_merge_table(c, part);
  name text := c || '_hst_' || part;
  month date := to_date(part, 'YYYY_MM');
  state record;
  days oid[];
  day oid;
  changed bigint[];
  rows bigint;
  n bigint;
  command text;
BEGIN
  -- Nobody makes a day of this month now; see naksha_partition.
  PERFORM ${schema}.naksha_lock(name || to_char(d, '_DD'))
    FROM generate_series(month, month + interval '1 month' - interval '1 day', '1 day') AS d;
  EXECUTE format('LOCK TABLE ONLY ${schema}.%I IN ACCESS EXCLUSIVE MODE', c || '_hst');
  days := ${schema}.naksha_merge_days(c, part);
  FOREACH day IN ARRAY days LOOP
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', day::regclass);
  END LOOP;
  state := ${schema}.naksha_merge_state(c, part);
  IF state.copied IS NULL OR NOT state.days <@ days THEN
    RAISE EXCEPTION 'days of % of collection ''%'' have gone while they were merged', part, c
      USING ERRCODE = '40001', HINT = 'the next maintainer begins anew';
  END IF;
  rows := state.copied;
  SELECT coalesce(array_agg(DISTINCT n.i), '{}') INTO changed
    FROM ${schema}.naksha_merge_changes n WHERE n.relation = made;
  EXECUTE format('DELETE FROM ${schema}.%I WHERE i = ANY ($1)', made) USING changed;
  GET DIAGNOSTICS n = ROW_COUNT;
  rows := rows - n;
  FOREACH day IN ARRAY days LOOP
    -- A day that was made since has no trigger, so all of it is new.
    EXECUTE format('INSERT INTO ${schema}.%I SELECT * FROM %s%s', made, day::regclass,
      CASE WHEN day = ANY (state.days) THEN ' WHERE i = ANY ($1)' ELSE '' END) USING changed;
    GET DIAGNOSTICS n = ROW_COUNT;
    rows := rows + n;
    EXECUTE format('DROP TABLE %s', day::regclass);
  END LOOP;
  DELETE FROM ${schema}.naksha_merge_changes n WHERE n.relation = made;
  FOR command IN SELECT format('ALTER INDEX ${schema}.%I RENAME TO %I', k.relname,
        name || substr(k.relname, length(made) + 1))
      FROM pg_index x JOIN pg_class k ON k.oid = x.indexrelid
      WHERE x.indrelid = format('${schema}.%I', made)::regclass AND starts_with(k.relname, made) LOOP
    EXECUTE command;
  END LOOP;
  EXECUTE format('ALTER TABLE ${schema}.%I RENAME TO %I', made, name);
  PERFORM ${schema}.naksha_rights_as(name, c || '_hst'); -- rights may have been given since
  EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I FOR VALUES FROM (%s) TO (%s)',
    c || '_hst', name, ${schema}.naksha_txn(month::timestamp AT TIME ZONE 'UTC', 0),
    ${schema}.naksha_txn((month + interval '1 month') AT TIME ZONE 'UTC', 0));
  EXECUTE format('ALTER TABLE ${schema}.%I DROP CONSTRAINT of_the_month', name);
  EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', name, 'its days are still noted');
  RETURN rows;
END $$;

-- Deletes what is still noted of the days of months.
CREATE FUNCTION ${schema}.naksha_merge_tidy(c text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  month record;
BEGIN
  FOR month IN SELECT p.name, p.part FROM ${schema}.naksha_partitions(c || '_hst') AS p
      WHERE obj_description(p.leaf, 'pg_class') = 'its days are still noted' LOOP
    EXECUTE format('DELETE FROM ${schema}.%I WHERE starts_with(part, $1)', c || '_hst_ids')
      USING month.part || '_';
    EXECUTE format('COMMENT ON TABLE ${schema}.%I IS NULL', month.name);
  END LOOP;
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
  -- In the order of those who read the log, which DROP keeps to as well.
  LOCK TABLE ONLY ${schema}.naksha_tx IN ACCESS EXCLUSIVE MODE;
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
