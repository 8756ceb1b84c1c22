-- Loads of whole collections. A load fills tables of its own, which nobody looks into, and puts them
-- in the place of the collection's empty ones in one short transaction. They are called naksha_load_*
-- and have the collection's id as their comment. The session of the load holds a lock for as long as
-- it lives: tables without one are what an interrupted load has left behind.

CREATE FUNCTION ${schema}.naksha_load_table(c text, leaf text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT 'naksha_load_' || c || CASE leaf WHEN '' THEN '' ELSE '.' || leaf END
$$;

-- The leaves of HEAD; one without a name when it is one table.
CREATE FUNCTION ${schema}.naksha_load_leaves(partitioned boolean) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN partitioned THEN '{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f}'::text[] ELSE '{""}' END
$$;

-- Makes this session the one that loads a collection, until it ends or unlocks it; false when
-- another one does.
CREATE FUNCTION ${schema}.naksha_load_lock(c text) RETURNS boolean
  LANGUAGE sql VOLATILE AS $$
SELECT pg_try_advisory_lock(hashtext('${schema}.naksha_load'), hashtext(c))
$$;

CREATE FUNCTION ${schema}.naksha_load_unlock(c text) RETURNS boolean
  LANGUAGE sql VOLATILE AS $$
SELECT pg_advisory_unlock(hashtext('${schema}.naksha_load'), hashtext(c))
$$;

CREATE FUNCTION ${schema}.naksha_load_held(c text, holder int) RETURNS boolean
  LANGUAGE sql VOLATILE AS $$
SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = holder
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid = hashtext('${schema}.naksha_load')::oid AND objid = hashtext(c)::oid)
$$;

-- Makes the tables to be loaded, without keys and triggers. What is said of the leaf spares ATTACH
-- reading all of it. Waits longer than others do, for a server process of an interrupted load that
-- hasn't noticed yet.
CREATE FUNCTION ${schema}.naksha_load_tables(c text, partitioned boolean, points boolean)
  RETURNS void LANGUAGE plpgsql VOLATILE SET lock_timeout = '30s' AS $$
DECLARE
  leaf text;
  relation text;
  digit text := 'substring(md5(jsondata->>''id''), 1, 1)';
BEGIN
  PERFORM ${schema}.naksha_load_drop(c);
  FOREACH leaf IN ARRAY ${schema}.naksha_load_leaves(partitioned) LOOP
    relation := ${schema}.naksha_load_table(c, leaf);
    EXECUTE format('CREATE TABLE ${schema}.%I (%s%s) WITH (autovacuum_enabled = off)', relation,
      ${schema}.naksha_head_columns(points), CASE leaf WHEN '' THEN '' ELSE
        format(', CONSTRAINT naksha_load_leaf CHECK (%1$s IS NOT NULL AND %1$s = %2$L)', digit, leaf)
      END);
    EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', relation, c);
    PERFORM ${schema}.naksha_unsampled(relation);
  END LOOP;
END $$;

-- What loads of a collection have left; of all when c is null.
CREATE FUNCTION ${schema}.naksha_load_left(INOUT c text, OUT relation text) RETURNS SETOF record
  LANGUAGE sql STABLE AS $$
SELECT d.description, t.relname::text FROM pg_class t
  JOIN pg_description d ON d.objoid = t.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0
  WHERE t.relnamespace = '${schema}'::regnamespace AND starts_with(t.relname, 'naksha_load_')
    AND t.relkind = 'r' AND (c IS NULL OR d.description = c) ORDER BY t.relname
$$;

CREATE FUNCTION ${schema}.naksha_load_drop(c text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  left_over record;
BEGIN
  FOR left_over IN SELECT * FROM ${schema}.naksha_load_left(c) LOOP
    EXECUTE format('DROP TABLE IF EXISTS ${schema}.%I', left_over.relation);
  END LOOP;
END $$;

-- Drops what loads that were interrupted have left, and says what it was. Those that are under way
-- hold their lock; a table that somebody still uses is left to the next time.
CREATE FUNCTION ${schema}.naksha_load_clean() RETURNS SETOF text
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  left_over record;
BEGIN
  FOR left_over IN SELECT * FROM ${schema}.naksha_load_left(NULL) LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(
      hashtext('${schema}.naksha_load'), hashtext(left_over.c));
    BEGIN
      EXECUTE format('DROP TABLE IF EXISTS ${schema}.%I', left_over.relation);
      RETURN NEXT left_over.relation;
    EXCEPTION WHEN lock_not_available THEN
      CONTINUE;
    END;
  END LOOP;
END $$;

-- Takes so many row numbers of a collection at once; returns the one before the first. ALTER keeps
-- others from the sequence until this transaction has ended.
CREATE FUNCTION ${schema}.naksha_load_numbers(c text, count bigint) RETURNS bigint
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  seq text := format('${schema}.%I', c || '_i_seq');
  base bigint;
BEGIN
  EXECUTE format('ALTER SEQUENCE %s CACHE 100', seq);
  EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM %s', seq)
    INTO base;
  PERFORM setval(seq, base + count);
  RETURN base;
END $$;

-- Gives back those that weren't needed, unless somebody has taken others since. More than were taken
-- can't have been used: others have them.
CREATE FUNCTION ${schema}.naksha_load_numbers_used(c text, reserved bigint, used bigint)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  seq text := format('${schema}.%I', c || '_i_seq');
  untouched boolean;
BEGIN
  IF used > reserved THEN
    RAISE EXCEPTION 'the input of collection ''%'' has grown since the load began', c
      USING ERRCODE = '22023', HINT = 'nothing of the load is there; load it again when it is whole';
  END IF;
  EXECUTE format('ALTER SEQUENCE %s CACHE 100', seq);
  EXECUTE format('SELECT last_value = $1 OR NOT is_called FROM %s', seq) INTO untouched
    USING reserved;
  IF untouched AND used > 0 THEN
    PERFORM setval(seq, used);
  END IF;
END $$;

-- What somebody has given to the tables of HEAD and a load can't give to those that take their place,
-- in PostgreSQL's words; null when there is nothing. All that depends on a table is looked at, so
-- that what nobody has thought of here is found too. Owner, rights, own keys and the comment on a
-- table are kept (see naksha_load_swap), and what leaves have from HEAD comes back with it.
CREATE FUNCTION ${schema}.naksha_load_loss(c text) RETURNS text
  LANGUAGE sql STABLE AS $$
WITH replaced AS (
  SELECT t.* FROM pg_class t, LATERAL (SELECT to_regclass(format('${schema}.%I', c))) AS h(head)
  WHERE t.relkind = 'r' AND (t.oid = h.head
    OR t.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = h.head))
), own AS (
  SELECT pg_describe_object(d.classid, d.objid, d.objsubid) AS thing
    FROM replaced t JOIN pg_depend d ON d.refobjid = CASE d.refclassid
      WHEN 'pg_class'::regclass THEN t.oid WHEN 'pg_type'::regclass THEN t.reltype END
    LEFT JOIN pg_class i ON d.classid = 'pg_class'::regclass AND i.oid = d.objid
    LEFT JOIN pg_trigger g ON d.classid = 'pg_trigger'::regclass AND g.oid = d.objid
    LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
    WHERE d.deptype NOT IN ('i', 'P', 'S') AND coalesce(i.relkind, 'r') <> 'i'
      AND NOT coalesce(g.tgparentid > 0 OR g.tgname IN ('naksha_insert', 'naksha_update',
        'naksha_delete', 'naksha_truncate', 'naksha_before_insert', 'naksha_before_update'), false)
      AND NOT coalesce(k.conparentid > 0 OR k.contype = 'n' OR k.conrelid = t.oid AND k.conname IN
        (t.relname || '_pkey', 'enforce_srid_geo', 'enforce_dims_geo', 'head_is_current',
          'points_only'), false)
  UNION SELECT format('trigger %I on table %I, switched on or off', g.tgname, t.relname)
    FROM replaced t JOIN pg_trigger g ON g.tgrelid = t.oid
    LEFT JOIN pg_trigger p ON p.oid = g.tgparentid
    WHERE g.tgenabled <> coalesce(p.tgenabled, 'O')
  UNION SELECT format('settings of table %I', t.relname)
    FROM replaced t LEFT JOIN pg_class o ON o.oid = t.reltoastrelid
    WHERE t.relrowsecurity OR t.relforcerowsecurity OR t.relreplident <> 'd'
      OR coalesce(t.reloptions, o.reloptions) IS NOT NULL
      OR EXISTS (SELECT FROM pg_seclabel l WHERE l.objoid = t.oid)
  UNION SELECT format('column %I of table %I', a.attname, t.relname)
    FROM replaced t JOIN pg_attribute a ON a.attrelid = t.oid JOIN pg_type y ON y.oid = a.atttypid
    WHERE a.attnum > 0 AND (a.attname NOT IN ('i', 'geo', 'jsondata')
      OR a.attnotnull <> (a.attname <> 'geo')
      OR coalesce(a.attstattarget, -1) <> CASE a.attname WHEN 'jsondata' THEN 0 ELSE -1 END
      -- Newer servers keep something of their own among the options.
      OR array_to_string(a.attoptions, ' ') LIKE '%n_distinct%'
      OR a.attstorage <> y.typstorage OR a.attcompression <> '' OR a.attidentity <> '')
  UNION SELECT 'comment on ' || pg_describe_object(m.classoid, m.objoid, m.objsubid)
    FROM replaced t JOIN pg_description m ON m.classoid = 'pg_class'::regclass
        AND (m.objoid = t.oid AND m.objsubid > 0
          OR m.objoid IN (SELECT x.indexrelid FROM pg_index x WHERE x.indrelid = t.oid))
      OR m.classoid = 'pg_trigger'::regclass
        AND m.objoid IN (SELECT g.oid FROM pg_trigger g WHERE g.tgrelid = t.oid)
      OR m.classoid = 'pg_constraint'::regclass
        AND m.objoid IN (SELECT k.oid FROM pg_constraint k WHERE k.conrelid = t.oid)
), listed AS (
  SELECT thing, row_number() OVER (ORDER BY thing) AS n, count(*) OVER () AS all_of_them FROM own
)
SELECT string_agg(thing, ', ' ORDER BY n)
    || CASE WHEN max(all_of_them) > 5 THEN format(' and %s more', max(all_of_them) - 5) ELSE '' END
  FROM listed WHERE n <= 5
$$;

-- The commands that give a table the owner and the rights of another one, no fewer and no more, also
-- if others are the default for new tables. A right counts as given by the owner, whoever gave it.
CREATE FUNCTION ${schema}.naksha_load_rights(old regclass, made regclass, name text) RETURNS text[]
  LANGUAGE sql STABLE AS $$
WITH was AS (SELECT coalesce(relacl, acldefault('r', relowner)) AS acl, * FROM pg_class WHERE oid = old),
given AS (
  SELECT a.*, '' AS of_column FROM was, LATERAL aclexplode(was.acl) AS a
  UNION ALL SELECT a.*, format(' (%I)', t.attname) FROM pg_attribute t, LATERAL aclexplode(t.attacl) AS a
    WHERE t.attrelid = old AND t.attnum > 0
), commands AS (
  SELECT 1 AS place, format('ALTER TABLE ${schema}.%I OWNER TO %s', name, relowner::regrole) AS command
    FROM was
  UNION SELECT 2, format('REVOKE ALL ON ${schema}.%I FROM %s', name,
      CASE r.grantee WHEN 0 THEN 'PUBLIC' ELSE r.grantee::regrole::text END)
    FROM (SELECT a.grantee FROM pg_class t,
        LATERAL aclexplode(coalesce(t.relacl, acldefault('r', t.relowner))) AS a WHERE t.oid = made
      UNION SELECT relowner FROM was) AS r
  UNION SELECT 3, format('GRANT %s%s ON ${schema}.%I TO %s%s', g.privilege_type, g.of_column, name,
      CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END,
      CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
    FROM given g
)
SELECT coalesce(array_agg(command ORDER BY place, command), '{}') FROM commands
  WHERE EXISTS (SELECT FROM was JOIN pg_class n ON n.oid = made
    WHERE was.relacl IS DISTINCT FROM n.relacl OR was.relowner <> n.relowner
      OR EXISTS (SELECT FROM given WHERE of_column <> ''))
$$;

-- Puts a loaded table in the place of an empty one: HEAD itself or a leaf, unless the collection is
-- new and has no leaves yet. Owner, rights and keys that somebody has added to it are kept; if it has
-- more of its own, the load was refused.
CREATE FUNCTION ${schema}.naksha_load_swap(c text, leaf text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  staged text := ${schema}.naksha_load_table(c, leaf);
  name text := c || CASE leaf WHEN '' THEN '' ELSE '_' || leaf END;
  made regclass := format('${schema}.%I', staged)::regclass;
  old regclass := to_regclass(format('${schema}.%I', name));
  info text := obj_description(old, 'pg_class');
  added text[];
  command text;
BEGIN
  SELECT coalesce(array_agg(pg_get_indexdef(x.indexrelid)), '{}') INTO added
    FROM pg_index x JOIN pg_class k ON k.oid = x.indexrelid
    WHERE x.indrelid = old AND NOT k.relispartition AND NOT EXISTS (
      SELECT FROM pg_index y JOIN pg_class s ON s.oid = y.indexrelid
      WHERE y.indrelid = made AND k.relname = name || substr(s.relname, length(staged) + 1));
  added := added || ${schema}.naksha_load_rights(old, made, name);
  EXECUTE format('DROP TABLE IF EXISTS ${schema}.%I', name);
  EXECUTE format('ALTER TABLE ${schema}.%I RENAME TO %I', staged, name);
  FOR command IN SELECT format('ALTER INDEX ${schema}.%I RENAME TO %I', k.relname,
        name || substr(k.relname, length(staged) + 1))
      FROM pg_index x JOIN pg_class k ON k.oid = x.indexrelid WHERE x.indrelid = made LOOP
    EXECUTE command;
  END LOOP;
  EXECUTE format('COMMENT ON TABLE ${schema}.%I IS %L', name, info);
  EXECUTE format('ALTER TABLE ${schema}.%I RESET (autovacuum_enabled)', name);
  IF leaf <> '' THEN
    EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I FOR VALUES IN (%L%s)',
      c, name, leaf, CASE leaf WHEN '0' THEN ', NULL' ELSE '' END);
    EXECUTE format('ALTER TABLE ${schema}.%I DROP CONSTRAINT naksha_load_leaf', name);
  END IF;
  PERFORM ${schema}.naksha_collection_triggers(c, name, true);
  FOREACH command IN ARRAY added LOOP
    EXECUTE command;
  END LOOP;
END $$;

-- The end of a load, in the name of the transaction whose number is in the rows. It began when the
-- number was taken, and that is what the log says. What load has: collection, options of one that is
-- to be created or null, info of one that is there, holder of the lock, txn, began, the row number
-- before the first (base), reserved and used row numbers.
CREATE FUNCTION ${schema}.naksha_load_finish(load jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  c text := load->>'collection';
  number bigint := load->>'txn';
  same CONSTANT text[] := '{createdAt,deleted,idPrefix,author,partitioned,pointsOnly}';
  info jsonb;
  taken boolean;
  loss text;
  leaf text;
BEGIN
  IF NOT ${schema}.naksha_load_held(c, (load->>'holder')::int) THEN
    RAISE EXCEPTION 'the load of collection ''%'' has lost its connection', c
      USING ERRCODE = '08003', HINT = 'nothing of it is there';
  END IF;
  PERFORM set_config('naksha.${schema}_txn', number::text, true), set_config('naksha.${schema}_date',
    (SELECT format(':%s:%s:%s:', year, month, day) FROM ${schema}.naksha_txn(number)), true);
  IF jsonb_typeof(load->'options') = 'object' THEN
    info := ${schema}.naksha_collection_plan(c, load->'options');
    IF ${schema}.naksha_last_number(c) <> (load->>'base')::bigint THEN
      RAISE EXCEPTION 'others have created and purged the collection ''%'' during the load', c
        USING ERRCODE = 'N0001', HINT = 'nothing of the load is there; load it again';
    END IF;
    info := ${schema}.naksha_collection_make(info, false);
  ELSE
    PERFORM ${schema}.naksha_lock('collection ' || c);
    info := ${schema}.naksha_collection_find(c);
    EXECUTE format('LOCK TABLE ${schema}.%I IN ACCESS EXCLUSIVE MODE', c);
    EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I)', c) INTO taken;
    -- Also when what they wrote is deleted again: its states would be later than those of the load.
    taken := taken OR EXISTS (SELECT FROM ${schema}.naksha_tx t
      WHERE t.txn > number AND t.action = 'MODIFY_FEATURES' AND t.id = c);
    IF taken OR EXISTS (SELECT FROM unnest(same) AS k WHERE info->k <> load->'info'->k) THEN
      RAISE EXCEPTION 'others have written to the collection ''%'' or changed it during the load', c
        USING ERRCODE = 'N0001', HINT = 'nothing of the load is there; load into another collection, '
          'or with upserts';
    END IF;
    -- Looked at before the load, too; now nobody can add more.
    loss := ${schema}.naksha_load_loss(c);
    IF loss IS NOT NULL THEN
      RAISE EXCEPTION 'the collection ''%'' was given what a load would lose: %', c, loss
        USING ERRCODE = 'N0003', HINT = 'nothing of the load is there; drop that and make it again '
          'afterwards, or load with upserts';
    END IF;
  END IF;
  FOREACH leaf IN ARRAY ${schema}.naksha_load_leaves((info->>'partitioned')::boolean) LOOP
    PERFORM ${schema}.naksha_load_swap(c, leaf);
  END LOOP;
  PERFORM ${schema}.naksha_load_numbers_used(
    c, (load->>'reserved')::bigint, (load->>'used')::bigint);
  EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I)', c || '_del') INTO taken;
  IF taken THEN
    EXECUTE format('DELETE FROM ${schema}.%I d USING ${schema}.%I n '
      'WHERE (d.jsondata->>''id'') COLLATE "C" = n.jsondata->>''id''', c || '_del', c);
  END IF;
  IF (load->>'used')::bigint > 0 THEN
    PERFORM ${schema}.naksha_signal('MODIFY_FEATURES', c);
  END IF;
  UPDATE ${schema}.naksha_tx SET ts = (load->>'began')::timestamptz WHERE txn = number;
  RETURN info;
END $$;

-- Fails if a load has put other tables in the place of a leaf since the moment of this transaction,
-- which sees only what was there then: it would see those of the loaded rows that were sent before,
-- and not the others. PostgreSQL looks for tables as they are now, and rows of its catalogue are as
-- they were. Asked by who reads HEAD in the same statement, which holds its leaves by then.
CREATE FUNCTION ${schema}.naksha_steady(c text, leaf text) RETURNS boolean
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_class t WHERE t.relname = leaf
      AND t.relnamespace = '${schema}'::regnamespace
      AND t.oid IS DISTINCT FROM to_regclass(format('${schema}.%I', leaf))) THEN
    RAISE EXCEPTION 'the tables of collection ''%'' were replaced meanwhile', c USING ERRCODE = '40001';
  END IF;
  RETURN true;
END $$;
