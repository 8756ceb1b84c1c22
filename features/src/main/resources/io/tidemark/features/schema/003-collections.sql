-- Collections: their tables, their life, and what is known of them (the comment on HEAD).

CREATE FUNCTION ${schema}.naksha_collection_name(c text) RETURNS void
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF c IS NULL OR c !~ '^[a-z][a-z0-9_:-]{0,31}$' THEN
    RAISE EXCEPTION '''%'' can''t be the id of a collection', c USING ERRCODE = '22023',
      HINT = 'it begins with a lower-case letter and has at most 32 of a-z, 0-9, _, : and -';
  END IF;
  IF c IN ('txn', 'naksha') OR starts_with(c, 'naksha_') OR starts_with(c, 'pg_')
      OR c ~ '_(del|hst|meta|i_seq|idx|key|pkey|hst_ids|hst_[0-9]{4}_[0-9]{2}(_[0-9]{2})?)$' THEN
    RAISE EXCEPTION 'the collection id ''%'' is reserved', c USING ERRCODE = '22023',
      HINT = 'tables that belong to a collection have names like this; take another';
  END IF;
END $$;

-- The info of a collection, deleted or not; null when there is none. Every batch asks for it, and
-- PL/pgSQL keeps the plan, which SQL makes anew in every call.
CREATE FUNCTION ${schema}.naksha_collection_read(c text) RETURNS jsonb
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT d.description::jsonb FROM pg_class t
    JOIN pg_description d ON d.objoid = t.oid AND d.classoid = 'pg_class'::regclass
      AND d.objsubid = 0
    WHERE t.relnamespace = '${schema}'::regnamespace AND t.relname = c AND t.relkind IN ('r', 'p')
      AND starts_with(d.description, '{"id":')
      AND d.description LIKE '%"type": "NakshaCollection"%');
END $$;

CREATE FUNCTION ${schema}.naksha_collection_find(c text) RETURNS jsonb
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  info jsonb := ${schema}.naksha_collection_read(c);
BEGIN
  IF info IS NULL THEN
    RAISE EXCEPTION 'there is no collection ''%''', c USING ERRCODE = 'N0002',
      HINT = 'create it first';
  END IF;
  RETURN info;
END $$;

-- All that aren't deleted, or all.
CREATE FUNCTION ${schema}.naksha_collections(deleted boolean DEFAULT false) RETURNS SETOF jsonb
  LANGUAGE sql STABLE AS $$
SELECT i.info FROM pg_class t, LATERAL ${schema}.naksha_collection_read(t.relname) AS i(info)
  WHERE t.relnamespace = '${schema}'::regnamespace AND t.relkind IN ('r', 'p')
    AND NOT t.relispartition AND i.info IS NOT NULL
    AND (deleted OR NOT (i.info->>'deleted')::boolean)
  ORDER BY t.relname COLLATE "C"
$$;

-- The info with an estimate of what is in it: PostgreSQL's, or the maintainer's as long as nobody has
-- analysed all of it.
CREATE FUNCTION ${schema}.naksha_collection_info(c text) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
SELECT ${schema}.naksha_collection_find(c) || jsonb_strip_nulls(
  jsonb_build_object('estimatedFeatureCount',
    (SELECT CASE WHEN min(l.reltuples) >= 0 THEN sum(l.reltuples)::bigint END FROM pg_class l
      WHERE l.relkind = 'r' AND (l.oid = format('${schema}.%I', c)::regclass
        OR l.oid IN (SELECT inhrelid FROM pg_inherits
          WHERE inhparent = format('${schema}.%I', c)::regclass)))))
$$;

-- The last row number of each collection that was purged. One of the same id goes on from there: its
-- GUIDs would name other states else than those that somebody may still expect.
CREATE TABLE ${schema}.naksha_numbers (
  collection text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL
);

CREATE FUNCTION ${schema}.naksha_last_number(c text) RETURNS bigint
  LANGUAGE sql STABLE AS $$
SELECT coalesce((SELECT last FROM ${schema}.naksha_numbers WHERE collection = c), 0)
$$;

-- The keys of HEAD, or of a leaf. Only HEAD is searched in all these ways.
CREATE FUNCTION ${schema}.naksha_head_keys(relation text, points boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  xyz text := '(jsondata->''properties''->''@ns:com:here:xyz''->';
  key text[];
BEGIN
  EXECUTE format('ALTER TABLE ${schema}.%I ADD CONSTRAINT %I PRIMARY KEY (i)',
    relation, relation || '_pkey');
  EXECUTE format('CREATE UNIQUE INDEX %I ON ${schema}.%I ((jsondata->>''id'') COLLATE "C")',
    relation || '_id_idx', relation);
  FOREACH key SLICE 1 IN ARRAY ARRAY[
      ['txn', 'btree ((' || xyz || '>''txn'')::bigint))'],
      ['mrid', 'btree (' || xyz || '>''mrid'') COLLATE "C")'],
      ['qrid', 'btree (' || xyz || '>''qrid'') COLLATE "C")'],
      ['action', 'btree (' || xyz || '>''action'') COLLATE "C", ' || xyz
        || '>''author'') COLLATE "C", (' || xyz || '>''txn'')::bigint))'],
      ['tags', 'gin (' || xyz || '''tags''))'],
      ['geo', CASE WHEN points THEN 'spgist' ELSE 'gist' END || ' (geo)']] LOOP
    EXECUTE format('CREATE INDEX %I ON ${schema}.%I USING %s',
      relation || '_' || key[1] || '_idx', relation, key[2]);
  END LOOP;
END $$;

-- Has ANALYZE pass over whole documents: no query compares them, and to sort a sample of them takes it
-- a quarter of its time after each load. The keys have statistics of their own.
CREATE FUNCTION ${schema}.naksha_unsampled(relation text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  EXECUTE format('ALTER TABLE ONLY ${schema}.%I ALTER COLUMN jsondata SET STATISTICS 0', relation);
END $$;

-- The commands that give a function the owner and the rights that it has now, when it is made anew.
CREATE FUNCTION ${schema}.naksha_function_rights(function regprocedure) RETURNS text[]
  LANGUAGE sql STABLE AS $$
WITH was AS (SELECT * FROM pg_proc WHERE oid = function)
SELECT ARRAY(
  SELECT format('ALTER FUNCTION %s OWNER TO %s', function, proowner::regrole) FROM was
    WHERE pg_get_userbyid(proowner) <> current_user)
  || ARRAY(SELECT format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', function) FROM was
    WHERE proacl IS NOT NULL)
  || ARRAY(SELECT format('GRANT EXECUTE ON FUNCTION %s TO %s%s', function,
      CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
      CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
    FROM was, LATERAL aclexplode(was.proacl) AS a WHERE a.grantee <> was.proowner)
$$;

-- The statements of a batch of the API, which takes arrays however many features there are: unnested
-- in a list of columns, since in FROM they would all be copied first. They are
-- functions because of what ends with each of them: rows come prepared (see the triggers), and by
-- settings features are found by their ids, each in its own leaf. The planner doesn't know beforehand that
-- only that leaf is looked at, takes sixteen times the cost for it, and would rather read all of a
-- large HEAD; or it keeps the plan for a small one while that grows. For a single feature it would
-- make a plan each time, the same one, since it takes unknown arrays for longer ones.
CREATE FUNCTION ${schema}.naksha_batch_functions(c text, partitioned boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $outer$
DECLARE
  settings CONSTANT text := 'SET enable_seqscan = off SET enable_hashjoin = off '
    'SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan';
  -- Only a superuser may have a function end with such a setting, so it is taken back by hand; if it
  -- fails, PostgreSQL does that.
  prepared CONSTANT text := 'PERFORM set_config(''naksha.prepared'', ''on'', true);';
  over CONSTANT text := 'PERFORM set_config(''naksha.prepared'', '''', true);';
  same CONSTANT text := '(h.jsondata->>''id'') COLLATE "C" = u.id' || CASE WHEN partitioned
    THEN ' AND substring(md5(h.jsondata->>''id''), 1, 1) = substring(md5(u.id), 1, 1)' ELSE '' END;
  -- Returns if none is there any more.
  removing CONSTANT text := $part$
        DELETE FROM @c@ h USING unnest(sought) AS u(id) WHERE @same@;
        GET DIAGNOSTICS done = ROW_COUNT;
        PERFORM set_config('lock_timeout', patience, true);
        kept := NULL;
        IF done < cardinality(ids) THEN
          kept := (SELECT u.id FROM unnest(ids) AS u(id) JOIN @c@ h ON @same@ LIMIT 1);
          removed := coalesce(nullif(current_setting('naksha.removed', true), ''), '{}');
        END IF;
        IF kept IS NULL THEN
          PERFORM set_config('naksha.removing', '', true), set_config('naksha.removed', '', true);
          RETURN CASE WHEN done < cardinality(ids) THEN removed END;
        END IF;$part$;
  made text[];
  function text;
  command text;
  rights text[];
BEGIN
  FOREACH made SLICE 1 IN ARRAY ARRAY[
    ['lock', '(ids text[]) RETURNS TABLE (id text, uuid jsonb, version jsonb, created jsonb, '
      'author jsonb, author_ts jsonb)', $body$
  -- Who wrote a feature last is asked for by those who don't say who they are.
  RETURN QUERY SELECT l.id, l.xyz->'uuid', l.xyz->'version', l.xyz->'createdAt',
      CASE WHEN anonymous THEN l.xyz->'author' END, CASE WHEN anonymous THEN l.xyz->'author_ts' END
    FROM (SELECT u.id, h.jsondata->'properties'->'@ns:com:here:xyz' AS xyz
      FROM unnest(ids) AS u(id) JOIN @c@ h ON @same@ ORDER BY u.id COLLATE "C" FOR UPDATE OF h) AS l;
$body$],
    ['add', '(rows bigint[], geos text[], features text[]) RETURNS bigint', $body$
  @prepared@
  INSERT INTO @c@ (i, geo, jsondata) SELECT u.i, u.geo::${geo}.geometry, u.jsondata::jsonb
    FROM (SELECT unnest(rows) AS i, unnest(geos) AS geo, unnest(features) AS jsondata) AS u;
  GET DIAGNOSTICS done = ROW_COUNT;
  @over@
  RETURN done;
$body$],
    ['addnew', '(rows bigint[], geos text[], features text[]) RETURNS bigint', $body$
  @prepared@
  INSERT INTO @c@ (i, geo, jsondata) SELECT u.i, u.geo::${geo}.geometry, u.jsondata::jsonb
    FROM (SELECT unnest(rows) AS i, unnest(geos) AS geo, unnest(features) AS jsondata) AS u
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS done = ROW_COUNT;
  @over@
  RETURN done;
$body$],
    ['replace', '(ids text[], rows bigint[], geos text[], features text[]) RETURNS bigint', $body$
  @prepared@
  UPDATE @c@ h SET i = u.i, geo = u.geo::${geo}.geometry, jsondata = u.jsondata::jsonb
    FROM (SELECT unnest(ids) AS id, unnest(rows) AS i, unnest(geos) AS geo,
      unnest(features) AS jsondata) AS u WHERE @same@;
  GET DIAGNOSTICS done = ROW_COUNT;
  @over@
  RETURN done;
$body$],
    -- The ids of those that were there; null when all were, which need not be told one by one. When
    -- some weren't, the trigger tells: RETURNING would have PostgreSQL look at each row once more.
    -- Who has deleted some and waits for the next may be waited for by somebody who holds that one
    -- and inserts one of the first. So nobody waits like that: all is undone and given back then, and
    -- those that are there are locked first, in the order given. To do so always would take longer.
    -- Likewise if one is there afterwards: PostgreSQL doesn't find a feature that somebody has deleted
    -- and created anew meanwhile. Whoever has locked them says so; then nothing of this can happen.
    ['remove', '(ids text[], locked boolean) RETURNS text[]', $body$
  DECLARE
    patience text := current_setting('lock_timeout');
    sought text[] := ids;
    removed text[];
    kept text;
  BEGIN
    PERFORM set_config('naksha.removing', @id@ || ' ' || cardinality(ids), true);
    IF locked THEN
      @removing@
    END IF;
    FOR attempt IN 1 .. 20 LOOP
      EXIT WHEN locked;
      BEGIN
        IF attempt > 1 THEN
          sought := ARRAY(SELECT u.id FROM unnest(ids) AS u(id) JOIN @c@ h ON @same@
            ORDER BY u.id COLLATE "C" FOR UPDATE OF h);
        ELSIF cardinality(ids) > 1 THEN
          PERFORM set_config('lock_timeout', '1ms', true);
        END IF;
        @removing@
        RAISE EXCEPTION USING ERRCODE = 'N0009';
      EXCEPTION WHEN lock_not_available OR SQLSTATE 'N0009' THEN
        IF SQLSTATE <> 'N0009' AND (attempt > 1 OR cardinality(ids) = 1) THEN
          RAISE;
        END IF;
      END;
      -- What was locked and is there after all is kept by no other session.
      EXIT WHEN attempt > 1 AND kept = ANY (sought);
    END LOOP;
    IF kept = ANY (sought) OR row_security_active('@c@') THEN
      RAISE EXCEPTION 'the feature ''%'' of collection ''%'' is there and can''t be deleted', kept, @id@
        USING ERRCODE = 'N0004', HINT = 'see whether row-level security or a BEFORE trigger of the '
          'collection''s keeps it from that';
    END IF;
    RAISE EXCEPTION 'the feature ''%'' of collection ''%'' is created again and again', kept, @id@
      USING ERRCODE = '40001';
  END;
$body$]] LOOP
    command := format('CREATE OR REPLACE FUNCTION ${schema}.%I%s LANGUAGE plpgsql VOLATILE %s AS %L',
      c || '_' || made[1], made[2], settings,
      '#variable_conflict use_column' || chr(10) || 'DECLARE done bigint; '
        'anonymous boolean := coalesce(current_setting(''naksha.author'', true), '''') = ''''; BEGIN'
        || replace(replace(replace(replace(replace(replace(made[3], '@removing@', removing),
          '@same@', same), '@c@', format('${schema}.%I', c)), '@id@', quote_literal(c)),
          '@prepared@', prepared), '@over@', over) || 'END');
    BEGIN
      EXECUTE command;
    EXCEPTION WHEN invalid_function_definition THEN
      -- An older release had it return something else, which only a new function can change.
      function := format('${schema}.%I%s)', c || '_' || made[1],
        regexp_replace(split_part(made[2], ')', 1), '[a-z]+ (?=[a-z])', '', 'g'));
      rights := ${schema}.naksha_function_rights(function::regprocedure);
      EXECUTE 'DROP FUNCTION ' || function;
      EXECUTE command;
      FOREACH command IN ARRAY rights LOOP
        EXECUTE command;
      END LOOP;
    END;
  END LOOP;
END $outer$;

-- A part of the history gets what a look-up by id, by GUID and by transaction needs, and hardly more:
-- each further key is paid for by every update. The last is a few bytes for a hundred pages; it finds
-- what was replaced lately, for pages that are to be of an earlier moment.
CREATE FUNCTION ${schema}.naksha_history_keys(relation text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  txn text := '((jsondata->''properties''->''@ns:com:here:xyz''->>''txn'')::bigint)';
BEGIN
  EXECUTE format('ALTER TABLE ${schema}.%I ADD PRIMARY KEY (i)', relation);
  EXECUTE format('CREATE INDEX ON ${schema}.%I ((jsondata->>''id'') COLLATE "C", %s)', relation, txn);
  EXECUTE format('CREATE INDEX ON ${schema}.%I (%s)', relation, txn);
  EXECUTE format('CREATE INDEX ON ${schema}.%I USING brin '
    '(((jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint)) '
    'WITH (autosummarize = on)', relation);
  PERFORM ${schema}.naksha_unsampled(relation), ${schema}.naksha_keep(relation);
END $$;

CREATE FUNCTION ${schema}.naksha_history_partition(c text, day date) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM ${schema}.naksha_partition(
    c || '_hst', day, ARRAY['SELECT ${schema}.naksha_history_keys(%L)']);
END $$;

-- Makes the partitions of today and of days to come, so that no writer has to.
CREATE FUNCTION ${schema}.naksha_partitions_ahead(days int DEFAULT 2) RETURNS void
  LANGUAGE sql VOLATILE AS $$
SELECT ${schema}.naksha_partition('naksha_tx', d.day, '{}'),
    (SELECT count(${schema}.naksha_history_partition(c->>'id', d.day)::text)
      FROM ${schema}.naksha_collections(true) AS c)
  FROM generate_series(0, days) AS n, LATERAL (
    SELECT (current_timestamp AT TIME ZONE 'UTC')::date + n AS day) AS d
$$;

-- What HEAD and its leaves consist of. Not geometry(GeometryZ,4326): that would refuse a point without
-- z before a trigger can add one.
CREATE FUNCTION ${schema}.naksha_head_columns(points boolean) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
SELECT 'i bigint NOT NULL, geo ${geo}.geometry, jsondata jsonb NOT NULL, '
  'CONSTRAINT enforce_srid_geo CHECK (${geo}.st_srid(geo) = 4326), '
  'CONSTRAINT enforce_dims_geo CHECK (${geo}.st_ndims(geo) = 3), CONSTRAINT head_is_current '
  'CHECK ((jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint = 0)'
  || CASE WHEN points THEN
    ', CONSTRAINT points_only CHECK (${geo}.geometrytype(geo) = ''POINT'')' ELSE '' END
$$;

-- The tables of a new collection; a load brings its leaves and their keys along.
CREATE FUNCTION ${schema}.naksha_collection_tables(info jsonb, leaves boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  c text := info->>'id';
  xyz text := '(jsondata->''properties''->''@ns:com:here:xyz''->>''txn_next'')::bigint';
  partitioned boolean := (info->>'partitioned')::boolean;
  points boolean := (info->>'pointsOnly')::boolean;
  digit text;
BEGIN
  EXECUTE format('CREATE SEQUENCE ${schema}.%I START %s CACHE 100', c || '_i_seq',
    ${schema}.naksha_last_number(c) + 1);
  EXECUTE format('CREATE TABLE ${schema}.%I (%s)%s', c, ${schema}.naksha_head_columns(points),
    CASE WHEN partitioned THEN ' PARTITION BY LIST (substring(md5(jsondata->>''id''), 1, 1))'
      ELSE '' END);
  EXECUTE format('CREATE TABLE ${schema}.%I (i bigint PRIMARY KEY, '
    'geo ${geo}.geometry(GeometryZ,4326), jsondata jsonb NOT NULL, CHECK (%s = 0))', c || '_del', xyz);
  EXECUTE format('CREATE UNIQUE INDEX %I ON ${schema}.%I ((jsondata->>''id'') COLLATE "C")',
    c || '_del_id_idx', c || '_del');
  -- Rows come in the order of their txn, so a summary of their pages is enough.
  EXECUTE format('CREATE INDEX %I ON ${schema}.%I USING brin '
    '(((jsondata->''properties''->''@ns:com:here:xyz''->>''txn'')::bigint)) '
    'WITH (autosummarize = on)', c || '_del_txn_idx', c || '_del');
  EXECUTE format('CREATE TABLE ${schema}.%I (i bigint PRIMARY KEY, '
    'geo ${geo}.geometry(GeometryZ,4326), jsondata jsonb NOT NULL)', c || '_meta');
  EXECUTE format('CREATE UNIQUE INDEX %I ON ${schema}.%I ((jsondata->>''id'') COLLATE "C")',
    c || '_meta_id_idx', c || '_meta');
  EXECUTE format('CREATE TABLE ${schema}.%I (i bigint NOT NULL, '
    'geo ${geo}.geometry(GeometryZ,4326), jsondata jsonb NOT NULL) PARTITION BY RANGE ((%s))',
    c || '_hst', xyz);
  PERFORM ${schema}.naksha_keep(c || '_del'), ${schema}.naksha_keep(c || '_hst');
  PERFORM ${schema}.naksha_unsampled(c || t.suffix) FROM unnest('{"",_del,_hst}'::text[]) AS t(suffix);
  PERFORM ${schema}.naksha_collection_functions(info);
  PERFORM ${schema}.naksha_collection_triggers(c, c, NOT partitioned);
  IF NOT leaves THEN
    RETURN;
  END IF;
  IF NOT partitioned THEN
    PERFORM ${schema}.naksha_head_keys(c, points);
    RETURN;
  END IF;
  FOREACH digit IN ARRAY '{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f}'::text[] LOOP
    -- A feature without an id comes into the first leaf, whose trigger gives it one that fits.
    EXECUTE format('CREATE TABLE ${schema}.%I PARTITION OF ${schema}.%I FOR VALUES IN (%L%s)',
      c || '_' || digit, c, digit, CASE digit WHEN '0' THEN ', NULL' ELSE '' END);
    PERFORM ${schema}.naksha_unsampled(c || '_' || digit);
    PERFORM ${schema}.naksha_head_keys(c || '_' || digit, points);
    PERFORM ${schema}.naksha_collection_triggers(c, c || '_' || digit, true);
  END LOOP;
END $$;

-- Takes over options that were given, and checks them.
CREATE FUNCTION ${schema}.naksha_collection_options(info jsonb, options jsonb) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  wanted jsonb := info || coalesce(options, '{}');
  problem text;
BEGIN
  SELECT format('%s is %s', o.key, wanted->o.key) INTO problem FROM (VALUES
      ('historyEnabled', '{boolean}'), ('partitioned', '{boolean}'), ('pointsOnly', '{boolean}'),
      ('autoPurge', '{boolean}'), ('optimalPartitioning', '{boolean}'), ('maxAge', '{number}'),
      ('idPrefix', '{string,null}'), ('author', '{string,null}')) AS o(key, types)
    WHERE jsonb_typeof(wanted->o.key) <> ALL (o.types::text[]);
  IF problem IS NULL THEN
    -- What else is known of a collection, such as its id, can't be chosen.
    SELECT format('there is no option %s', key) INTO problem
      FROM jsonb_object_keys(coalesce(options, '{}')) AS key
      WHERE key <> ALL ('{historyEnabled,partitioned,pointsOnly,autoPurge,optimalPartitioning,maxAge,'
        'idPrefix,author}'::text[]);
  END IF;
  IF problem IS NULL AND ((wanted->>'maxAge')::numeric NOT BETWEEN 0 AND 3650000
      OR (wanted->>'maxAge')::numeric % 1 <> 0) THEN
    problem := format('maxAge is %s', wanted->'maxAge');
  END IF;
  IF problem IS NULL AND (wanted->>'idPrefix' ~ '[\x01-\x1f]' OR wanted->>'author' ~ '[\x01-\x1f]'
      OR wanted->>'idPrefix' = '' OR wanted->>'author' = '' OR length(wanted->>'author') > 500) THEN
    problem := 'idPrefix or author is empty or has control characters, or author more than 500';
  END IF;
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION 'the options of collection ''%'' can''t be taken: %', info->>'id', problem
      USING ERRCODE = '22023', HINT = 'historyEnabled, partitioned, pointsOnly, autoPurge and '
        'optimalPartitioning are true or false, maxAge is a number of days from 0 on, idPrefix '
        'and author are text or null';
  END IF;
  RETURN wanted;
END $$;

-- Writes the info, and notes in the log that the collection has changed.
CREATE FUNCTION ${schema}.naksha_collection_save(info jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  saved jsonb := info || jsonb_build_object('updatedAt',
    (date_part('epoch', current_timestamp) * 1000)::bigint, 'txn', ${schema}.naksha_txn());
BEGIN
  EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', info->>'id', saved::text);
  PERFORM ${schema}.naksha_signal('MODIFY_COLLECTION', info->>'id');
  RETURN saved;
END $$;

-- Waits for writers that are under way, and keeps new ones out until this transaction has ended.
-- It waits longer than others do: a vacuum gives way, but only after the deadlock timeout.
CREATE FUNCTION ${schema}.naksha_collection_hold(c text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' AS $$
BEGIN
  PERFORM ${schema}.naksha_lock('collection ' || c);
  IF ${schema}.naksha_collection_read(c) IS NOT NULL THEN
    EXECUTE format('LOCK TABLE ${schema}.%I IN SHARE ROW EXCLUSIVE MODE', c);
  END IF;
  RETURN ${schema}.naksha_collection_read(c);
END $$;

-- The info of a collection that is about to be written to, which nobody can change until this
-- transaction has ended; null when there is none. The lock is the one that a write takes anyway.
CREATE FUNCTION ${schema}.naksha_collection_write(c text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  -- To look first whether it is there would take as long as all the rest.
  BEGIN
    EXECUTE format('LOCK TABLE ONLY ${schema}.%I IN ROW EXCLUSIVE MODE', c);
  EXCEPTION WHEN undefined_table OR wrong_object_type THEN
    RETURN NULL;
  END;
  RETURN ${schema}.naksha_collection_read(c);
END $$;

-- The info of a collection that may be created; fails if it may not.
CREATE FUNCTION ${schema}.naksha_collection_plan(c text, options jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  info jsonb;
  taken text;
BEGIN
  PERFORM ${schema}.naksha_collection_name(c);
  info := ${schema}.naksha_collection_hold(c);
  IF info IS NOT NULL THEN
    RAISE EXCEPTION 'the collection ''%'' exists%', c,
      CASE WHEN (info->>'deleted')::boolean THEN ' and is deleted' ELSE '' END
      USING ERRCODE = 'N0001', HINT = 'use it, restore it if it is deleted, or purge it first';
  END IF;
  info := ${schema}.naksha_collection_options(jsonb_build_object('id', c,
    'type', 'NakshaCollection', 'historyEnabled', true, 'partitioned', true, 'pointsOnly', false,
    'autoPurge', false, 'optimalPartitioning', false, 'maxAge', 36500, 'idPrefix', NULL,
    'author', NULL, 'deleted', false, 'estimatedFeatureCount', NULL, 'byteSize', NULL,
    'compressedSize', NULL,
    'createdAt', (date_part('epoch', current_timestamp) * 1000)::bigint), options);
  -- A leaf of one collection may be called like another collection; whoever comes second is told.
  SELECT c || suffix INTO taken
    FROM unnest('{"",_0,_1,_2,_3,_4,_5,_6,_7,_8,_9,_a,_b,_c,_d,_e,_f}'::text[]) AS suffix
    WHERE (suffix = '' OR (info->>'partitioned')::boolean)
      AND coalesce(to_regclass(format('${schema}.%I', c || suffix))::oid,
        to_regtype(format('${schema}.%I', c || suffix))::oid) IS NOT NULL;
  IF taken IS NOT NULL THEN
    RAISE EXCEPTION 'the collection ''%'' needs a table ''%'', and there is a table or type called so',
      c, taken
      USING ERRCODE = '22023', HINT = 'choose another id';
  END IF;
  RETURN info;
END $$;

-- Makes the tables of one that is planned.
CREATE FUNCTION ${schema}.naksha_collection_make(info jsonb, leaves boolean) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  saved jsonb;
BEGIN
  PERFORM ${schema}.naksha_collection_tables(info, leaves);
  saved := ${schema}.naksha_collection_save(info);
  PERFORM ${schema}.naksha_history_partition(
      info->>'id', (current_timestamp AT TIME ZONE 'UTC')::date + n)
    FROM generate_series(0, 2) AS n;
  RETURN saved;
END $$;

CREATE FUNCTION ${schema}.naksha_collection_create(c text, options jsonb DEFAULT '{}') RETURNS jsonb
  LANGUAGE sql VOLATILE AS $$
SELECT ${schema}.naksha_collection_make(${schema}.naksha_collection_plan(c, options), true)
$$;

-- Changes the options that are given and leaves the others.
CREATE FUNCTION ${schema}.naksha_collection_update(c text, options jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  begins CONSTANT text := 'starts_with((jsondata->>''id'') COLLATE "C", $1)';
  info jsonb := ${schema}.naksha_collection_hold(c);
  wanted jsonb;
  taken boolean;
BEGIN
  info := ${schema}.naksha_collection_find(c);
  IF (info->>'deleted')::boolean THEN
    RAISE EXCEPTION 'the collection ''%'' is in deleted state', c
      USING ERRCODE = '23514', HINT = 'restore it first';
  END IF;
  wanted := ${schema}.naksha_collection_options(info, options);
  IF wanted->'partitioned' <> info->'partitioned' OR wanted->'pointsOnly' <> info->'pointsOnly'
      OR wanted - '{historyEnabled,maxAge,autoPurge,optimalPartitioning,idPrefix,author}'::text[]
        <> info - '{historyEnabled,maxAge,autoPurge,optimalPartitioning,idPrefix,author}'::text[] THEN
    RAISE EXCEPTION 'an option of collection ''%'' can''t be changed: %', c, options
      USING ERRCODE = '22023', HINT = 'partitioned and pointsOnly are chosen when it is created';
  END IF;
  IF wanted->>'idPrefix' IS DISTINCT FROM info->>'idPrefix' THEN
    -- Whoever names such a feature would mean another one from now on.
    EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I WHERE %s) OR EXISTS (SELECT FROM '
      '${schema}.%I WHERE %s)', c, begins, c || '_del', begins)
      INTO taken USING wanted->>'idPrefix';
    IF taken THEN
      RAISE EXCEPTION 'the collection ''%'' has features whose ids begin with ''%''', c,
        wanted->>'idPrefix' USING ERRCODE = '22023', HINT = 'choose another idPrefix, or purge them';
    END IF;
  END IF;
  PERFORM ${schema}.naksha_collection_functions(wanted);
  RETURN ${schema}.naksha_collection_save(wanted);
END $$;

CREATE FUNCTION ${schema}.naksha_collection_enable_history(c text) RETURNS jsonb
  LANGUAGE sql VOLATILE AS $$
SELECT ${schema}.naksha_collection_update(c, '{"historyEnabled": true}')
$$;

CREATE FUNCTION ${schema}.naksha_collection_disable_history(c text) RETURNS jsonb
  LANGUAGE sql VOLATILE AS $$
SELECT ${schema}.naksha_collection_update(c, '{"historyEnabled": false}')
$$;

-- Hides a collection and refuses writes to it; nothing is lost. Null when there was nothing to do.
CREATE FUNCTION ${schema}.naksha_collection_delete(c text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  info jsonb := ${schema}.naksha_collection_hold(c);
BEGIN
  IF info IS NULL OR (info->>'deleted')::boolean THEN
    RETURN NULL;
  END IF;
  info := info || '{"deleted": true}';
  PERFORM ${schema}.naksha_collection_functions(info);
  RETURN ${schema}.naksha_collection_save(info);
END $$;

CREATE FUNCTION ${schema}.naksha_collection_restore(c text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  info jsonb := ${schema}.naksha_collection_hold(c);
BEGIN
  info := ${schema}.naksha_collection_find(c) || '{"deleted": false}';
  PERFORM ${schema}.naksha_collection_functions(info);
  RETURN ${schema}.naksha_collection_save(info);
END $$;

-- Drops a collection with its history; returns what it was, null when there was none.
CREATE FUNCTION ${schema}.naksha_collection_purge(c text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  info jsonb := ${schema}.naksha_collection_hold(c);
  made text[];
BEGIN
  IF info IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM ${schema}.naksha_merge_undo(c, part) FROM ${schema}.naksha_merges(c) AS part;
  EXECUTE format('DROP TABLE ${schema}.%I, ${schema}.%I, ${schema}.%I, ${schema}.%I',
    c, c || '_hst', c || '_del', c || '_meta');
  EXECUTE format('DROP TABLE IF EXISTS ${schema}.%I', c || '_hst_ids');
  EXECUTE format('INSERT INTO ${schema}.naksha_numbers SELECT %L, '
    'CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM ${schema}.%I '
    'ON CONFLICT (collection) DO UPDATE SET last = greatest(naksha_numbers.last, excluded.last)', c, c || '_i_seq');
  EXECUTE format('DROP SEQUENCE ${schema}.%I', c || '_i_seq');
  -- With the types of what they take, since somebody may have others of the same name.
  FOREACH made SLICE 1 IN ARRAY ARRAY[['before', ''], ['insert', ''], ['update', ''], ['delete', ''],
      ['lock', 'text[]'], ['add', 'bigint[], text[], text[]'],
      ['addnew', 'bigint[], text[], text[]'],
      ['replace', 'text[], bigint[], text[], text[]'], ['remove', 'text[], boolean']] LOOP
    EXECUTE format('DROP FUNCTION ${schema}.%I(%s)', c || '_' || made[1], made[2]);
  END LOOP;
  PERFORM ${schema}.naksha_signal('MODIFY_COLLECTION', c);
  RETURN info;
END $$;
