-- What happens on a write: the namespace of a feature, its history, its deletion copy and the log.
-- The functions are made for each collection, with what is known of it written into them: a statement
-- then looks nothing up, and its plans are kept. ${geo} is the schema of PostGIS.

-- A geometry as the API writes it, for sessions that don't search the schema of PostGIS.
CREATE FUNCTION ${schema}.naksha_geometry(ewkb text) RETURNS ${geo}.geometry
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ewkb::${geo}.geometry $$;

-- The quadkey of level 31 of a geometry's centroid. Interleaving bits is a sum of decimals: a number
-- written in binary and read as a decimal has digits 0 and 1, so x + 2y has digits 0 to 3 and no carry.
CREATE FUNCTION ${schema}.naksha_qrid(geo ${geo}.geometry) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  at ${geo}.geometry := CASE WHEN ${geo}.geometrytype(geo) = 'POINT' THEN geo
    ELSE ${geo}.st_centroid(geo) END;
  x float8 := floor((coalesce(${geo}.st_x(at), 0) + 180) / 360 * 2147483648);
  y float8 := floor((coalesce(${geo}.st_y(at), 0) + 90) / 360 * 2147483648);
BEGIN
  RETURN substr((1e31::numeric
    + least(greatest(x, 0), 2147483647)::bigint::bit(31)::text::numeric
    + least(greatest(y, 0), 1073741823)::bigint::bit(31)::text::numeric * 2)::text, 2);
END $$;

-- The longer side of the bounding box in milliseconds of arc.
CREATE FUNCTION ${schema}.naksha_extend(geo ${geo}.geometry) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN geo IS NULL OR ${geo}.geometrytype(geo) = 'POINT' OR ${geo}.st_isempty(geo) THEN 0
  ELSE round(greatest(${geo}.st_xmax(geo) - ${geo}.st_xmin(geo),
    ${geo}.st_ymax(geo) - ${geo}.st_ymin(geo)) * 3600000)::bigint END
$$;

-- Whether a geometry is of a type that GeoJSON doesn't have, or has such parts: curves and surfaces.
CREATE FUNCTION ${schema}.naksha_foreign(geo ${geo}.geometry) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE ${geo}.geometrytype(geo)
  WHEN 'GEOMETRYCOLLECTION' THEN ${geo}.st_astext(geo) ~ 'CIRCULAR|CURVE|SURFACE|TIN|TRIANGLE'
  ELSE ${geo}.geometrytype(geo) <> ALL (
    '{POINT,LINESTRING,POLYGON,MULTIPOINT,MULTILINESTRING,MULTIPOLYGON}'::text[]) END
$$;

-- Whether a geometry with z has coordinates that are beyond the world or no numbers. NaN is above all
-- numbers here, but a bounding box of several points may not know of it; a length does.
CREATE FUNCTION ${schema}.naksha_beyond(geo ${geo}.geometry) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT NOT (${geo}.st_xmin(geo) >= -180 AND ${geo}.st_xmax(geo) <= 180
    AND ${geo}.st_ymin(geo) >= -90 AND ${geo}.st_ymax(geo) <= 90
    AND ${geo}.st_zmin(geo) > '-Infinity' AND ${geo}.st_zmax(geo) < 'Infinity')
  OR CASE ${geo}.geometrytype(geo) WHEN 'POINT' THEN false
    WHEN 'MULTIPOINT' THEN ${geo}.st_astext(geo) ~* 'nan'
    WHEN 'GEOMETRYCOLLECTION' THEN ${geo}.st_astext(geo) ~* 'nan'
    ELSE ${geo}.st_3dlength(geo) + ${geo}.st_3dperimeter(geo) = 'NaN' END
$$;

-- A number of an old namespace, and what to take in its place when it has none there.
CREATE FUNCTION ${schema}.naksha_number(xyz jsonb, field text, instead bigint) RETURNS bigint
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF jsonb_typeof(xyz->field) = 'number' AND abs((xyz->>field)::numeric) < 9e18 THEN
    RETURN (xyz->>field)::numeric::bigint;
  END IF;
  RAISE WARNING 'the old state has no % that is a number; % is taken', field, instead;
  RETURN instead;
END $$;

-- The uuid of an old namespace, or null when it has none.
CREATE FUNCTION ${schema}.naksha_uuid(xyz jsonb, id text) RETURNS jsonb
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF jsonb_typeof(xyz->'uuid') = 'string' THEN
    RETURN xyz->'uuid';
  END IF;
  RAISE WARNING 'the old state of feature ''%'' has no uuid', id;
  RETURN NULL;
END $$;

-- Makes a feature of whatever was sent.
CREATE FUNCTION ${schema}.naksha_feature(sent jsonb) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  feature jsonb := CASE WHEN jsonb_typeof(sent) = 'object' THEN sent ELSE '{}' END;
BEGIN
  IF jsonb_typeof(feature->'type') IS DISTINCT FROM 'string' THEN
    feature := feature || '{"type": "Feature"}';
  END IF;
  IF jsonb_typeof(feature->'properties') IS DISTINCT FROM 'object' THEN
    feature := feature || '{"properties": {}}';
  END IF;
  RETURN feature - 'geometry';
END $$;

-- A state with the transaction that ended it, also one that came from elsewhere without a namespace.
-- The number comes as JSON, which is made once for all states. Not IMMUTABLE: jsonb_build_object
-- isn't, and then PostgreSQL would call this instead of inlining it.
CREATE FUNCTION ${schema}.naksha_closed(feature jsonb, txn jsonb) RETURNS jsonb
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT CASE WHEN jsonb_typeof(feature->'properties'->'@ns:com:here:xyz') = 'object'
  THEN jsonb_set(feature, '{properties,@ns:com:here:xyz,txn_next}', txn)
  ELSE jsonb_set(${schema}.naksha_feature(feature), '{properties,@ns:com:here:xyz}',
    jsonb_build_object('txn', 0, 'txn_next', txn)) END
$$;

-- An id that belongs into a leaf of HEAD, or anywhere when there are no leaves.
CREATE FUNCTION ${schema}.naksha_random_id(leaf text) RETURNS text
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  id text;
BEGIN
  LOOP
    id := md5(gen_random_uuid()::text);
    EXIT WHEN leaf IS NULL OR left(md5(id), 1) = leaf;
  END LOOP;
  RETURN id;
END $$;

-- The functions of a collection, made anew if they are there. In the templates @c@ is its table, @hst@, @del@ and @seq@ what goes
-- with it, @id@ its id as a literal, @uuid@ how its GUIDs begin, as a literal.
CREATE FUNCTION ${schema}.naksha_collection_functions(info jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $outer$
DECLARE
  c text := info->>'id';
  history boolean := (info->>'historyEnabled')::boolean;
  zombies boolean := NOT (info->>'autoPurge')::boolean;
  prefix text := coalesce(info->>'idPrefix', '');
  before text := $template$
DECLARE
  feature jsonb := NEW.jsondata;
  given jsonb;
  was jsonb;
  id text;
  leaf text := @leaf@;
  app_id text := nullif(current_setting('naksha.app_id', true), '');
  author text := nullif(current_setting('naksha.author', true), '');
  txn bigint := nullif(current_setting('naksha.${schema}_txn', true), '');
  now_ms bigint := date_part('epoch', current_timestamp) * 1000;
  created bigint := now_ms;
  author_ts bigint := now_ms;
  version bigint := 1;
  qrid text;
  crid jsonb;
  tags jsonb;
BEGIN
  IF app_id IS NULL THEN
    app_id := ${schema}.naksha_app_id();
  END IF;
  IF txn IS NULL THEN
    txn := ${schema}.naksha_txn();
  END IF;
  IF NEW.geo IS NULL AND jsonb_typeof(feature->'geometry') = 'object' THEN
    BEGIN
      NEW.geo := ${geo}.st_geomfromgeojson(feature->'geometry');
    EXCEPTION WHEN internal_error OR invalid_parameter_value THEN
      RAISE EXCEPTION 'the geometry of feature ''%'' is no GeoJSON: %', feature->>'id', SQLERRM
        USING ERRCODE = '22023',
          HINT = 'it looks like {"type": "Point", "coordinates": [8.6, 50.1]}; or set geo';
    END;
  ELSIF TG_OP = 'UPDATE' AND jsonb_typeof(feature->'geometry') = 'object'
      AND NEW.geo::text = OLD.geo::text THEN
    RAISE WARNING 'the geometry in the JSON of feature ''%'' isn''t taken', OLD.jsondata->>'id'
      USING HINT = 'set geo to it, or to NULL, which takes it from the JSON';
  END IF;
  IF jsonb_typeof(feature) IS DISTINCT FROM 'object' OR feature ? 'geometry'
      OR NOT feature ?& '{id,type,properties}'
      OR jsonb_typeof(feature->'properties') IS DISTINCT FROM 'object' THEN
    feature := ${schema}.naksha_feature(feature);
  END IF;
  IF feature->'type' <> '"Feature"' THEN
    IF jsonb_typeof(feature->'type') = 'string' THEN
      RAISE EXCEPTION 'feature ''%'' has the type %', feature->>'id', feature->'type'
        USING ERRCODE = '22023', HINT = 'only features are taken';
    END IF;
    feature := feature || '{"type": "Feature"}';
  END IF;
  IF feature @? '$.**{101}' THEN
    RAISE EXCEPTION 'feature ''%'' is nested more than 100 deep', feature->>'id'
      USING ERRCODE = '22023', HINT = 'take it apart';
  END IF;
  IF jsonb_typeof(feature->'id') = ANY ('{object,array,boolean}') THEN
    RAISE EXCEPTION 'the id of a feature is %', left(feature->>'id', 50)
      USING ERRCODE = '22023', HINT = 'give a text or a number';
  END IF;
  id := nullif(feature->>'id', '');
  IF @prefixed@ THEN
    id := substr(id, @prefix_length@);
    -- One that is left would be taken off when the feature is written the next time.
    IF id = '' OR @prefixed@ THEN
      RAISE EXCEPTION 'the id ''%'' is only the prefix of the collection, or has it twice',
        feature->>'id' USING ERRCODE = '22023', HINT = 'give an id with the prefix once, or without';
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    was := OLD.jsondata #> '{properties,@ns:com:here:xyz}';
    IF id IS NULL THEN
      id := OLD.jsondata->>'id';
    ELSIF id <> OLD.jsondata->>'id' THEN
      RAISE EXCEPTION 'the id of feature ''%'' can''t become ''%''', OLD.jsondata->>'id', id
        USING ERRCODE = '22023', HINT = 'delete the one and insert the other';
    END IF;
    created := ${schema}.naksha_number(was, 'createdAt', now_ms);
    version := ${schema}.naksha_number(was, 'version', 0) + 1;
    IF author IS NULL THEN
      author := coalesce(was->>'author', app_id);
      author_ts := CASE WHEN was ? 'author_ts'
        THEN ${schema}.naksha_number(was, 'author_ts', created) ELSE created END;
    END IF;
    IF jsonb_typeof(was->'uuid') IS DISTINCT FROM 'string' THEN
      RAISE WARNING 'the old state of feature ''%'' has no uuid', id;
    END IF;
  ELSE
    author := coalesce(author, @author@, app_id);
    IF length(id) > 255 THEN
      RAISE EXCEPTION 'the id ''%...'' has % characters', left(id, 50), length(id)
        USING ERRCODE = '22023', HINT = 'give 1 to 255';
    END IF;
    IF id IS NULL THEN
      LOOP
        id := ${schema}.naksha_random_id(leaf);
        EXIT WHEN NOT @prefixed@;
      END LOOP;
    ELSIF id <> feature->>'id' AND left(md5(id), 1) <> leaf THEN
      -- Without its prefix it belongs into another leaf, and no row may move there from here.
      INSERT INTO @c@ (jsondata, geo) VALUES (jsonb_set(feature, '{id}', to_jsonb(id)), NEW.geo);
      RETURN NULL;
    END IF;
  END IF;
  IF feature->'id' IS DISTINCT FROM to_jsonb(id) THEN
    feature := jsonb_set(feature, '{id}', to_jsonb(id));
  END IF;
  IF ${geo}.st_zmflag(NEW.geo) <> 2 OR ${geo}.st_srid(NEW.geo) <> 4326 THEN
    IF ${geo}.st_srid(NEW.geo) NOT IN (0, 4326) THEN
      RAISE EXCEPTION 'the geometry of feature ''%'' is in SRID %, not 4326', id,
        ${geo}.st_srid(NEW.geo) USING ERRCODE = '22023', HINT = 'ST_Transform(geo, 4326)';
    END IF;
    NEW.geo := ${geo}.st_setsrid(${geo}.st_force3dz(NEW.geo), 4326);
  END IF;
  -- Counting takes longer than to see that there can't be so many.
  IF ${geo}.st_memsize(NEW.geo) > 24000000 AND ${geo}.st_npoints(NEW.geo) > 1000000 THEN
    RAISE EXCEPTION 'the geometry of feature ''%'' has % points', id, ${geo}.st_npoints(NEW.geo)
      USING ERRCODE = '22023', HINT = 'at most 1000000 are taken; take it apart';
  END IF;
  IF ${geo}.geometrytype(NEW.geo) <> 'POINT' AND ${schema}.naksha_foreign(NEW.geo) THEN
    RAISE EXCEPTION 'the geometry of feature ''%'' is or has a part that GeoJSON doesn''t know: %', id,
      left(${geo}.st_astext(NEW.geo), 100)
      USING ERRCODE = '22023', HINT = 'ST_CurveToLine(geo) makes lines of curves';
  END IF;
  IF ${schema}.naksha_beyond(NEW.geo) THEN
    RAISE EXCEPTION 'the geometry of feature ''%'' is beyond the world: %', id,
      left(${geo}.st_astext(NEW.geo), 100)
      USING ERRCODE = '22023', HINT = 'longitudes are -180 to 180, latitudes -90 to 90, all finite';
  END IF;
  given := feature #> '{properties,@ns:com:here:xyz}';
  tags := given->'tags';
  IF jsonb_typeof(tags) IS DISTINCT FROM 'array' THEN
    tags := '[]';
  END IF;
  crid := given->'crid';
  IF jsonb_typeof(crid) IS DISTINCT FROM 'string' THEN
    crid := 'null';
  ELSIF length(given->>'crid') > 500 THEN
    RAISE EXCEPTION 'the crid of feature ''%'' has % characters', id, length(given->>'crid')
      USING ERRCODE = '22023', HINT = 'give at most 500';
  END IF;
  qrid := ${schema}.naksha_qrid(NEW.geo);
  NEW.i := nextval(@seq@);
  NEW.jsondata := jsonb_set(feature, '{properties,@ns:com:here:xyz}', jsonb_build_object(
    'uuid', @uuid@ || current_setting('naksha.${schema}_date') || NEW.i,
    'puuid', CASE WHEN jsonb_typeof(was->'uuid') = 'string' THEN was->'uuid' END,
    'txn', txn, 'txn_next', 0,
    'txn_uuid', @txuuid@ || current_setting('naksha.${schema}_date') || txn % 100000000000,
    'action', CASE TG_OP WHEN 'INSERT' THEN 'CREATE' ELSE 'UPDATE' END, 'version', version,
    'createdAt', created, 'updatedAt', now_ms,
    'rt_ts', (date_part('epoch', clock_timestamp()) * 1000)::bigint,
    'author', author, 'author_ts', author_ts, 'app_id', app_id,
    'stream_id', nullif(current_setting('naksha.stream_id', true), ''),
    'tags', tags, 'crid', crid, 'qrid', qrid,
    'mrid', CASE crid WHEN 'null' THEN to_jsonb(qrid) ELSE crid END,
    'extend', ${schema}.naksha_extend(NEW.geo)));
  -- Its text is rarely longer than this, and takes long to make.
  IF pg_column_size(NEW.jsondata) > 8000000 AND length(NEW.jsondata::text) > 16777216 THEN
    RAISE EXCEPTION 'feature ''%'' has % characters', id, length(NEW.jsondata::text)
      USING ERRCODE = '22023', HINT = 'at most 16777216 are taken; take it apart';
  END IF;
  RETURN NEW;
END $template$;
  after_insert text := $template$
DECLARE
  -- The ids whose copies the API removes later, with others that it purges, all in the order of ids.
  later text := current_setting('naksha.purging', true);
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows) THEN
    RETURN NULL;
  END IF;
  -- A session that sees all at one moment doesn't see the copy of a feature that was deleted since;
  -- this fails then, as an update would.
  IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
    INSERT INTO @del@ (i, jsondata) SELECT i, jsondata FROM new_rows ON CONFLICT DO NOTHING;
  END IF;
  -- One scan of the key for all of them takes less than one for each, which a join would be. It also
  -- locks them in the order of their ids, as whoever purges them does.
  IF starts_with(later, @id@ || ' ') THEN
    DELETE FROM @del@ d WHERE (d.jsondata->>'id') COLLATE "C"
      = ANY (ARRAY(SELECT jsondata->>'id' FROM new_rows
        EXCEPT SELECT unnest(substr(later, length(@id@) + 2)::text[])));
  ELSIF EXISTS (SELECT FROM @del@) THEN
    DELETE FROM @del@ d WHERE (d.jsondata->>'id') COLLATE "C"
      = ANY (ARRAY(SELECT jsondata->>'id' FROM new_rows));
  END IF;
  PERFORM ${schema}.naksha_signal('MODIFY_FEATURES', @id@);
  RETURN NULL;
END $template$;
  after_update text := $template$
DECLARE
  txn bigint;
  txn_j jsonb;
BEGIN
  IF NOT EXISTS (SELECT FROM old_rows) THEN
    RETURN NULL;
  END IF;
  txn := ${schema}.naksha_txn();
  txn_j := to_jsonb(txn);
  IF EXISTS (SELECT FROM @del@) THEN
    DELETE FROM @del@ d USING old_rows o
      WHERE (d.jsondata->>'id') COLLATE "C" = o.jsondata->>'id';
  END IF;
  IF @history@ THEN
    PERFORM ${schema}.naksha_history_partition(@id@, ${schema}.naksha_day(txn));
    INSERT INTO @hst@ (i, geo, jsondata)
      SELECT i, geo, ${schema}.naksha_closed(jsondata, txn_j) FROM old_rows;
  END IF;
  PERFORM ${schema}.naksha_signal('MODIFY_FEATURES', @id@);
  RETURN NULL;
END $template$;
  exhume text := $template$
    DELETE FROM @del@ d USING old_rows o
      WHERE (d.jsondata->>'id') COLLATE "C" = o.jsondata->>'id';
$template$;
  -- The states that are replaced come from old_rows as they are, and the last ones from where their
  -- copies go: to hold them all once more for both would take longer than to build them.
  bury text := $template$
    WITH dead AS (@copy@
      SELECT g.i, g.geo, jsonb_set(CASE WHEN g.counted OR jsonb_typeof(g.was) = 'object' THEN g.last
          ELSE ${schema}.naksha_feature(g.last) END,
        '{properties,@ns:com:here:xyz}',
        -- Made anew, in the order in which JSONB keeps keys: || takes half as long again.
        jsonb_build_object('txn', txn_j, 'crid', g.was->'crid', 'mrid', g.was->'mrid',
          'qrid', g.was->'qrid', 'tags', coalesce(g.was->'tags', '[]'), 'uuid', guid || g.i,
          'puuid', CASE WHEN jsonb_typeof(g.uuid) = 'string' THEN g.uuid
            ELSE ${schema}.naksha_uuid(g.was, g.last->>'id') END,
          'rt_ts', clock, 'action', '"DELETE"'::jsonb, 'app_id', app_id,
          'author', coalesce(author, g.was->'author', app_id), 'extend', g.was->'extend',
          'version', CASE WHEN g.counted THEN g.version::bigint
            ELSE ${schema}.naksha_number(g.was, 'version', 0) END + 1,
          'txn_next', '0'::jsonb, 'txn_uuid', txn_uuid,
          'author_ts', CASE WHEN author_ts IS NOT NULL THEN author_ts
            WHEN jsonb_typeof(g.was->'author_ts') = 'number' THEN g.was->'author_ts'
            WHEN g.was ? 'author_ts'
              THEN to_jsonb(${schema}.naksha_number(g.was, 'author_ts', now_ms)) ELSE now_j END,
          'createdAt', CASE WHEN jsonb_typeof(g.created) = 'number' THEN g.created
            ELSE to_jsonb(${schema}.naksha_number(g.was, 'createdAt', now_ms)) END,
          'stream_id', stream_id, 'updatedAt', now_j)) AS jsondata
      -- What is used twice is taken out of the namespace once: OFFSET 0 keeps the planner from
      -- putting the expressions where they are used.
      FROM (SELECT o.*, @counted@ AS counted,
          o.was->'uuid' AS uuid, o.was->'version' AS version, o.was->'createdAt' AS created
        FROM (SELECT nextval(@seq@) AS i, geo, jsondata AS last,
            jsondata->'properties'->'@ns:com:here:xyz' AS was
          FROM old_rows) AS o OFFSET 0) AS g @copied@)
    INSERT INTO @hst@ (i, geo, jsondata)
      SELECT i, geo, @closed@ FROM old_rows WHERE @history@
      UNION ALL
      SELECT i, geo, jsonb_set(jsondata, '{properties,@ns:com:here:xyz,txn_next}', txn_j)
      FROM dead WHERE @history@;
$template$;
  after_delete text := $template$
DECLARE
  txn bigint;
  date text;
  deleted bigint := (SELECT count(*) FROM old_rows);
  now_ms bigint := date_part('epoch', current_timestamp) * 1000;
  -- What is the same in the last state of each, as JSON, which is made once.
  txn_j jsonb;
  txn_uuid jsonb;
  guid text;
  now_j jsonb := to_jsonb(now_ms);
  clock jsonb := to_jsonb((date_part('epoch', clock_timestamp()) * 1000)::bigint);
  app_id jsonb;
  author jsonb := to_jsonb(nullif(current_setting('naksha.author', true), ''));
  author_ts jsonb := CASE WHEN author IS NOT NULL THEN to_jsonb(now_ms) END;
  stream_id jsonb := coalesce(to_jsonb(nullif(current_setting('naksha.stream_id', true), '')), 'null');
BEGIN
  IF deleted = 0 THEN
    RETURN NULL;
  END IF;
  -- Only somebody who wants to know which were there, and has met fewer than were to go, is told; of
  -- this collection alone, and of what a trigger of somebody's deletes on that occasion, too.
  IF starts_with(current_setting('naksha.removing', true), @id@ || ' ')
      AND @id@ || ' ' || deleted <> current_setting('naksha.removing', true) THEN
    PERFORM set_config('naksha.removed',
      (coalesce(nullif(current_setting('naksha.removed', true), ''), '{}')::text[]
        || (SELECT array_agg(jsondata->>'id') FROM old_rows))::text, true);
  END IF;
  txn := ${schema}.naksha_txn();
  txn_j := to_jsonb(txn);
  app_id := to_jsonb(${schema}.naksha_app_id());
  date := current_setting('naksha.${schema}_date');
  guid := @uuid@ || date;
  txn_uuid := to_jsonb(@txuuid@ || date || txn % 100000000000);
  IF @history@ THEN
    PERFORM ${schema}.naksha_history_partition(@id@, ${schema}.naksha_day(txn));
  END IF;
  -- A copy is there already, a state has no namespace or a version that is no bigint, only if
  -- somebody has loaded rows past the triggers. Looking for copies costs less than an INSERT that is
  -- prepared to meet them, and with many rows it costs less to look for none of these: one savepoint
  -- for all of them. A state without a namespace isn't closed then, belongs to no day of the history
  -- and fails there.
  IF @zombies@ AND deleted >= 32 THEN
    BEGIN
@bury_whole@
    EXCEPTION WHEN unique_violation OR check_violation OR invalid_parameter_value
        OR numeric_value_out_of_range THEN
@exhume@
@bury@
    END;
  ELSIF @history@ OR @zombies@ THEN
    IF @zombies@ AND EXISTS (SELECT FROM @del@) THEN
@exhume@
    END IF;
@bury@
  END IF;
  PERFORM ${schema}.naksha_signal('MODIFY_FEATURES', @id@);
  RETURN NULL;
END $template$;
  refuse text := $template$
BEGIN
  RAISE EXCEPTION 'the collection % is deleted', @id@
    USING ERRCODE = 'N0002', HINT = 'restore it before writing to it';
END $template$;
  deleted boolean := (info->>'deleted')::boolean;
  event text;
  body text;
BEGIN
  FOREACH event IN ARRAY '{before,insert,update,delete}'::text[] LOOP
    body := CASE WHEN deleted THEN refuse WHEN event = 'before' THEN before
      WHEN event = 'insert' THEN after_insert WHEN event = 'update' THEN after_update
      ELSE after_delete END;
    body := replace(body, '@exhume@', exhume);
    body := replace(body, '@bury_whole@', replace(replace(bury, '@closed@',
      'jsonb_set(jsondata, ''{properties,@ns:com:here:xyz,txn_next}'', txn_j)'),
      '@counted@', 'jsonb_typeof(o.was->''version'') = ''number'''));
    body := replace(body, '@bury@', replace(replace(bury, '@closed@',
      '${schema}.naksha_closed(jsondata, txn_j)'),
      '@counted@', 'CASE jsonb_typeof(o.was->''version'') WHEN ''number'' '
        'THEN abs((o.was->''version'')::numeric) < 9e18 END'));
    body := replace(body, '@copy@', CASE WHEN zombies
      THEN 'INSERT INTO @del@ (i, geo, jsondata)' ELSE '' END);
    body := replace(body, '@copied@', CASE WHEN zombies
      THEN 'RETURNING i, geo, jsondata' ELSE '' END);
    -- What users chose may look like one of the names here, so its @ is put back at the end.
    body := replace(body, '@author@', replace(format('%L::text', info->>'author'), '@', chr(1)));
    body := replace(body, '@prefixed@', CASE prefix WHEN '' THEN 'false'
      ELSE replace(format('starts_with(id, %L)', prefix), '@', chr(1)) END);
    body := replace(body, '@leaf@', CASE WHEN (info->>'partitioned')::boolean
      THEN 'right(TG_TABLE_NAME, 1)' ELSE 'NULL' END);
    body := replace(body, '@prefix_length@', (length(prefix) + 1)::text);
    body := replace(body, '@history@', history::text);
    body := replace(body, '@zombies@', zombies::text);
    body := replace(body, '@c@', format('${schema}.%I', c));
    body := replace(body, '@hst@', format('${schema}.%I', c || '_hst'));
    body := replace(body, '@del@', format('${schema}.%I', c || '_del'));
    body := replace(body, '@seq@', format('%L', format('${schema}.%I', c || '_i_seq')));
    body := replace(body, '@uuid@', format('%L', '${storage}:' || c));
    body := replace(body, '@txuuid@', format('%L', '${storage}:txn'));
    body := replace(body, '@id@', format('%L', c));
    -- Once a statement, deletion copies are looked up by their ids, however few there were when the
    -- plan was made, and in that order: a bitmap would have them in the order in which they lie.
    EXECUTE format('CREATE OR REPLACE FUNCTION ${schema}.%I() RETURNS trigger LANGUAGE plpgsql %s AS %L',
      c || '_' || event, CASE event WHEN 'before' THEN '' ELSE 'SET enable_seqscan = off '
        'SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off' END,
      '#variable_conflict use_variable' || replace(body, chr(1), '@'));
  END LOOP;
  PERFORM ${schema}.naksha_batch_functions(c, (info->>'partitioned')::boolean);
END $outer$;

-- TRUNCATE calls no trigger for rows, so no history would know what was there.
CREATE FUNCTION ${schema}.naksha_no_truncate() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table ''%'' can''t be truncated, nothing would be kept of it', TG_TABLE_NAME
    USING ERRCODE = '22023', HINT = 'DELETE FROM the collection, or drop all of it: '
      'SELECT naksha_collection_purge(...)';
END $$;

CREATE FUNCTION ${schema}.naksha_keep(relation text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER naksha_truncate BEFORE TRUNCATE ON ${schema}.%I '
    'FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.naksha_no_truncate()', relation);
END $$;

-- Puts the triggers on HEAD or on one of its leaves. A row that the API has prepared comes with its
-- row number and needs no other namespace; the setting says that it is the API's.
CREATE FUNCTION ${schema}.naksha_collection_triggers(c text, relation text, rows boolean)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  on_relation text := format('ON ${schema}.%I', relation);
BEGIN
  EXECUTE format('CREATE TRIGGER naksha_insert AFTER INSERT %s REFERENCING NEW TABLE AS new_rows '
    'FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.%I()', on_relation, c || '_insert');
  EXECUTE format('CREATE TRIGGER naksha_update AFTER UPDATE %s REFERENCING OLD TABLE AS old_rows '
    'FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.%I()', on_relation, c || '_update');
  EXECUTE format('CREATE TRIGGER naksha_delete AFTER DELETE %s REFERENCING OLD TABLE AS old_rows '
    'FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.%I()', on_relation, c || '_delete');
  PERFORM ${schema}.naksha_keep(relation);
  IF rows THEN
    EXECUTE format('CREATE TRIGGER naksha_before_insert BEFORE INSERT %s FOR EACH ROW '
      'WHEN (NEW.i IS NULL OR current_setting(''naksha.prepared'', true) IS DISTINCT FROM ''on'') '
      'EXECUTE FUNCTION ${schema}.%I()', on_relation, c || '_before');
    EXECUTE format('CREATE TRIGGER naksha_before_update BEFORE UPDATE %s FOR EACH ROW '
      'WHEN (NEW.i IS NOT DISTINCT FROM OLD.i '
      'OR current_setting(''naksha.prepared'', true) IS DISTINCT FROM ''on'') '
      'EXECUTE FUNCTION ${schema}.%I()', on_relation, c || '_before');
  END IF;
END $$;
