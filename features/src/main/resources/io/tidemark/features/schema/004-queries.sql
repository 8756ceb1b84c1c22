-- What reading needs: pages that are all of one moment, and handles that nobody can make up.

-- What handles of pages are signed with.
CREATE TABLE ${schema}.naksha_secret (value text NOT NULL);
INSERT INTO ${schema}.naksha_secret SELECT gen_random_uuid()::text || gen_random_uuid()::text;

-- A geometry that PostGIS can compare: polygons that cross themselves and lines of one place may be
-- stored, but comparing them with other than boxes fails, or finds nothing.
CREATE FUNCTION ${schema}.naksha_valid(geo ${geo}.geometry) RETURNS ${geo}.geometry
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN ${geo}.st_dimension(geo) = 0 OR ${geo}.st_isvalid(geo) THEN geo
  ELSE ${geo}.st_makevalid(geo) END
$$;

-- Finds the transactions that ended after a moment.
CREATE INDEX naksha_tx_psql_id_idx ON ${schema}.naksha_tx (psql_id);

-- A number below those of all transactions that are under way: nobody is for a week.
CREATE FUNCTION ${schema}.naksha_first_open_txn() RETURNS bigint
  LANGUAGE sql STABLE AS $$
SELECT ${schema}.naksha_txn(current_timestamp - interval '7 days', 0)
$$;
