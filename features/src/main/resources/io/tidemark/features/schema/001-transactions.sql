-- Transactions: who writes, their numbers, and the log of what they changed.
-- ${schema} is the schema all of this lives in, ${storage} the storage's id.

CREATE FUNCTION ${schema}.naksha_storage_id() RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT '${storage}'::text $$;

-- The first number of a day and n more. Days are those of UTC, whatever the session's time zone is.
CREATE FUNCTION ${schema}.naksha_txn(ts timestamptz, n bigint) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  at timestamp := ts AT TIME ZONE 'UTC';
  year bigint := date_part('year', at);
BEGIN
  IF year NOT BETWEEN 1 AND 9223 THEN
    RAISE EXCEPTION 'a transaction number can hold the years 1 to 9223, not %', year
      USING ERRCODE = '22023';
  END IF;
  IF n NOT BETWEEN 0 AND 99999999999 THEN
    RAISE EXCEPTION 'a transaction of a day has a number from 0 to 99999999999, not %', n
      USING ERRCODE = '22023';
  END IF;
  RETURN (year * 10000 + date_part('month', at)::bigint * 100 + date_part('day', at)::bigint)
    * 100000000000 + n;
END $$;

CREATE FUNCTION ${schema}.naksha_txn(
    txn bigint, OUT year int, OUT month int, OUT day int, OUT id bigint)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
SELECT (txn / 1000000000000000)::int, (txn / 10000000000000 % 100)::int,
  (txn / 100000000000 % 100)::int, txn % 100000000000
$$;

-- One expression, which is put where it is used: a query would be parsed and planned in every call.
CREATE FUNCTION ${schema}.naksha_day(txn bigint) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT make_date((txn / 1000000000000000)::int, (txn / 10000000000000 % 100)::int,
  (txn / 100000000000 % 100)::int)
$$;

-- Holds the last number that was given out, date and all.
CREATE SEQUENCE ${schema}.naksha_tx_object_id_seq AS bigint MINVALUE 0 START 0;

-- The next number. It never goes back: whoever began before midnight and comes after someone of the
-- new day gets a number of the new day.
CREATE FUNCTION ${schema}.naksha_txn_next() RETURNS bigint
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  key CONSTANT bigint := hashtextextended('${schema}.naksha_tx_object_id_seq', 0);
  today bigint := ${schema}.naksha_txn(current_timestamp, 0);
  txn bigint := nextval('${schema}.naksha_tx_object_id_seq');
BEGIN
  IF txn >= today THEN
    RETURN txn;
  END IF;
  -- The lock ends with this block, not with the transaction, which may be hours away for the others.
  -- It is an error that ends it: that undoes the block, and so gives the lock back, but sequences
  -- aren't undone. A lock of the session that is given back by a statement could outlive it, if
  -- somebody cancels in between, and keep all others out on the next day.
  BEGIN
    PERFORM pg_advisory_xact_lock(key);
    txn := nextval('${schema}.naksha_tx_object_id_seq');
    IF txn < today THEN
      txn := setval('${schema}.naksha_tx_object_id_seq', today);
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'N0009';
  EXCEPTION WHEN SQLSTATE 'N0009' THEN
    RETURN txn;
  END;
END $$;

-- The number of this transaction, taken when it is asked for first. What is remembered of it is named
-- after the schema: several storages of a database may be written in one transaction.
CREATE FUNCTION ${schema}.naksha_txn() RETURNS bigint
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  txn bigint := nullif(current_setting('naksha.${schema}_txn', true), '');
BEGIN
  IF txn IS NULL THEN
    -- Its xid comes first: the sequencer relies on it.
    PERFORM pg_current_xact_id();
    txn := ${schema}.naksha_txn_next();
    PERFORM set_config('naksha.${schema}_txn', txn::text, true),
      set_config('naksha.${schema}_date',
        to_char(${schema}.naksha_day(txn), ':FMYYYY:FMMM:FMDD:'), true);
  END IF;
  RETURN txn;
END $$;

-- Says who writes in this transaction. What it sets ends with the transaction, so that a pooled
-- connection can't write in the name of the one before.
CREATE FUNCTION ${schema}.naksha_tx_start(app_id text, author text, stream_id text DEFAULT NULL)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF coalesce(app_id, '') = '' THEN
    RAISE EXCEPTION 'an application id is needed to write; it is null or empty'
      USING ERRCODE = '22023', HINT = 'SELECT naksha_tx_start(''my-app'', ''me'')';
  END IF;
  -- Authors are keys, and longer ones don't fit in there.
  IF greatest(length(app_id), length(author), length(stream_id)) > 500 THEN
    RAISE EXCEPTION 'an application id, author or stream id has more than 500 characters: ''%...''',
      left(concat_ws(', ', app_id, author, stream_id), 50)
      USING ERRCODE = '22023', HINT = 'give shorter ones';
  END IF;
  PERFORM set_config('naksha.app_id', app_id, true),
    set_config('naksha.author', coalesce(author, ''), true),
    set_config('naksha.stream_id', coalesce(stream_id, ''), true);
END $$;

CREATE FUNCTION ${schema}.naksha_app_id() RETURNS text
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  app_id text := nullif(current_setting('naksha.app_id', true), '');
BEGIN
  IF app_id IS NULL THEN
    RAISE EXCEPTION 'nobody has said who writes in this transaction'
      USING ERRCODE = 'N0000', HINT = 'SELECT naksha_tx_start(''my-app'', ''me'') in this transaction';
  END IF;
  RETURN app_id;
END $$;

CREATE TABLE ${schema}.naksha_tx (
  i bigserial NOT NULL,
  ts timestamptz NOT NULL,
  psql_id bigint NOT NULL,
  seq_number bigint,
  seq_ts timestamptz,
  txn bigint NOT NULL,
  action text NOT NULL,
  id text NOT NULL,
  app_id text NOT NULL,
  author text,
  msg_text text,
  msg_json jsonb,
  msg_binary bytea,
  PRIMARY KEY (txn, i),
  UNIQUE (txn, action, id)
) PARTITION BY RANGE (txn);

-- Serialises those who make the same table, until they commit.
CREATE FUNCTION ${schema}.naksha_lock(name text) RETURNS void
  LANGUAGE sql VOLATILE AS $$
SELECT pg_advisory_xact_lock(hashtext('${schema}.naksha'), hashtext(name))
$$;

-- Gives a table the owner of another one and whatever rights others have on that, besides those that
-- are the default for new tables. A part of a table is looked at by itself, too, so who may look at
-- the whole, and would see its rows there, has to be let in; whoever has made it.
CREATE FUNCTION ${schema}.naksha_rights_as(made text, model text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  whole regclass := format('${schema}.%I', model)::regclass;
  holder regrole := (SELECT relowner FROM pg_class WHERE oid = whole);
  command text;
BEGIN
  FOR command IN
    SELECT format('GRANT %s%s ON ${schema}.%I TO %s%s', a.privilege_type, a.of_column, made,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM (SELECT r.*, '' AS of_column FROM pg_class t, LATERAL aclexplode(t.relacl) AS r
          WHERE t.oid = whole
        UNION ALL SELECT r.*, format(' (%I)', t.attname) FROM pg_attribute t,
          LATERAL aclexplode(t.attacl) AS r WHERE t.attrelid = whole AND t.attnum > 0) AS a
      WHERE a.grantee <> holder LOOP
    EXECUTE command;
  END LOOP;
  IF holder <> (SELECT relowner FROM pg_class WHERE oid = format('${schema}.%I', made)::regclass) THEN
    EXECUTE format('ALTER TABLE ${schema}.%I OWNER TO %s', made, holder);
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'the table % has not the owner and the rights of %: %', made, model, SQLERRM;
END $$;

-- Makes the partition of a day unless it is there. The table is made apart and then attached:
-- unlike CREATE TABLE ... PARTITION OF, that blocks neither readers nor writers of the others.
CREATE FUNCTION ${schema}.naksha_partition(parent text, day date, keys text[]) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  name text := parent || to_char(day, '_YYYY_MM_DD');
  made text;
  key text;
BEGIN
  IF to_regclass(format('${schema}.%I', name)) IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM ${schema}.naksha_lock(name);
  -- The lock has PostgreSQL hear of what others have made while this one waited for them; waiting
  -- alone doesn't, and what wasn't there before would be taken for missing still. Whoever may write
  -- may take this one. If it is held already nothing is heard; then the catalogue tells.
  EXECUTE format('LOCK TABLE ONLY ${schema}.%I IN ROW EXCLUSIVE MODE', parent);
  -- Somebody may have made it meanwhile, and an old one may be part of a month.
  FOREACH made IN ARRAY ARRAY[name, parent || to_char(day, '_YYYY_MM')] LOOP
    IF to_regclass(format('${schema}.%I', made)) IS NOT NULL OR EXISTS (SELECT FROM pg_class t
        WHERE t.relnamespace = '${schema}'::regnamespace AND t.relname = made) THEN
      RETURN;
    END IF;
  END LOOP;
  BEGIN
    EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.%I INCLUDING ALL)', name, parent);
    FOREACH key IN ARRAY keys LOOP
      EXECUTE format(key, name);
    END LOOP;
    PERFORM ${schema}.naksha_rights_as(name, parent);
    EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I '
      'FOR VALUES FROM (%s) TO (%s)', parent, name,
      ${schema}.naksha_txn(day::timestamp AT TIME ZONE 'UTC', 0),
      ${schema}.naksha_txn((day + 1)::timestamp AT TIME ZONE 'UTC', 0));
  EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'the table % isn''t there, and % may not make it: %', name, current_user, SQLERRM
      USING ERRCODE = '42501',
        HINT = 'have the owner make those of the days to come: SELECT naksha_partitions_ahead()';
  END;
END $$;

-- Notes in the log that this transaction did something. Once is enough; a setting remembers it, so
-- that a transaction of many statements doesn't look into the table for each.
CREATE FUNCTION ${schema}.naksha_signal(action text, id text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  txn bigint := ${schema}.naksha_txn();
  signal text := '|' || $1 || ' ' || $2 || '|';
  known text := coalesce(current_setting('naksha.${schema}_signals', true), '');
BEGIN
  IF strpos(known, signal) > 0 THEN
    RETURN;
  END IF;
  PERFORM ${schema}.naksha_partition('naksha_tx', ${schema}.naksha_day(txn), '{}');
  INSERT INTO ${schema}.naksha_tx (ts, psql_id, txn, action, id, app_id, author)
    VALUES (current_timestamp, pg_current_xact_id()::text::bigint, txn, $1, $2,
      ${schema}.naksha_app_id(), nullif(current_setting('naksha.author', true), ''))
    ON CONFLICT DO NOTHING;
  PERFORM set_config('naksha.${schema}_signals', known || signal, true);
END $$;

-- Puts a message into the log. The last of those with the same id in a transaction counts.
CREATE FUNCTION ${schema}.naksha_tx_message(
    id text, msg_text text, msg_json jsonb DEFAULT NULL, msg_binary bytea DEFAULT NULL)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  txn bigint := ${schema}.naksha_txn();
BEGIN
  IF coalesce($1, '') = '' OR length($1) > 500 THEN
    RAISE EXCEPTION 'a message needs an id; it is null or empty, or has more than 500 characters'
      USING ERRCODE = '22023', HINT = 'give 1 to 500';
  END IF;
  PERFORM ${schema}.naksha_partition('naksha_tx', ${schema}.naksha_day(txn), '{}');
  INSERT INTO ${schema}.naksha_tx AS t
      (ts, psql_id, txn, action, id, app_id, author, msg_text, msg_json, msg_binary)
    VALUES (current_timestamp, pg_current_xact_id()::text::bigint, txn, 'MESSAGE', $1,
      ${schema}.naksha_app_id(), nullif(current_setting('naksha.author', true), ''), $2, $3, $4)
    ON CONFLICT ON CONSTRAINT naksha_tx_txn_action_id_key DO UPDATE
      SET msg_text = excluded.msg_text, msg_json = excluded.msg_json,
        msg_binary = excluded.msg_binary;
END $$;

-- The parts of a GUID, read from the right, since a collection's id may have colons in it.
CREATE FUNCTION ${schema}.naksha_guid(guid text, OUT storage text, OUT collection text,
    OUT year int, OUT month int, OUT day int, OUT id bigint)
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  part text[] := regexp_match(guid,
    '^([^:]+):(.+):([0-9]{1,4}):([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,18})$');
BEGIN
  IF part IS NULL THEN
    RAISE EXCEPTION '''%'' is no GUID', guid
      USING ERRCODE = '22023', HINT = 'it looks like storage:collection:2023:1:30:7';
  END IF;
  storage := part[1];
  collection := part[2];
  year := part[3];
  month := part[4];
  day := part[5];
  id := part[6];
END $$;
