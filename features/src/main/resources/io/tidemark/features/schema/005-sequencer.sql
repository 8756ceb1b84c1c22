-- The sequencer: numbers transactions from 1 on, without holes, in the order in which they became
-- visible.

-- Where numbering stands. Not found out from the log, of which old days may be dropped.
CREATE TABLE ${schema}.naksha_sequencer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL DEFAULT 0,
  seq_ts timestamptz NOT NULL DEFAULT '-infinity',
  -- No transaction up to this one is still to be numbered, nor ever will be.
  settled bigint NOT NULL DEFAULT 0,
  -- That will hold for mark_txn once no transaction before mark_xid is under way.
  mark_txn bigint NOT NULL DEFAULT 0,
  mark_xid bigint NOT NULL DEFAULT 0
);
INSERT INTO ${schema}.naksha_sequencer DEFAULT VALUES;

-- Which numbers a day of the log holds, so that a reader who wants some needn't look at every day.
CREATE TABLE ${schema}.naksha_tx_days (
  day date PRIMARY KEY,
  lowest bigint NOT NULL,
  highest bigint NOT NULL
);

-- The last number that touched a collection: its head.
CREATE TABLE ${schema}.naksha_heads (
  collection text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  txn bigint NOT NULL
);

-- Tells this storage from others with the same id, wherever its collections are told of. It comes with
-- a dump.
CREATE TABLE ${schema}.naksha_identity (value uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO ${schema}.naksha_identity DEFAULT VALUES;

CREATE INDEX naksha_tx_unnumbered_idx ON ${schema}.naksha_tx (txn) WHERE seq_number IS NULL;
CREATE INDEX naksha_tx_seq_number_idx ON ${schema}.naksha_tx (seq_number);
CREATE INDEX naksha_tx_message_idx ON ${schema}.naksha_tx (id) WHERE action = 'MESSAGE';

-- Whether a sequencer sleeps and wants to be woken: 1 is yes. A sequence, since what is set is seen
-- at once and reading it locks nothing.
CREATE SEQUENCE ${schema}.naksha_sequencer_sleeps AS int MINVALUE 0 MAXVALUE 1 START 0;

CREATE FUNCTION ${schema}.naksha_sequencer_sleep(sleeps int) RETURNS void
  LANGUAGE sql VOLATILE AS $$
SELECT setval('${schema}.naksha_sequencer_sleeps', sleeps)
$$;

-- Wakes the sequencer when a transaction commits. A commit that notifies waits for all others that
-- do, disk and all; so it is done only for one that sleeps. One that is awake looks by itself.
-- PostgreSQL prepares no transaction that notifies, so one that is to be prepared says naksha.quiet.
CREATE FUNCTION ${schema}.naksha_tx_wake() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT last_value = 1 FROM ${schema}.naksha_sequencer_sleeps)
      AND current_setting('naksha.quiet', true) IS DISTINCT FROM 'on' THEN
    PERFORM pg_notify(left('naksha_tx_${schema}', 60), '');
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER naksha_wake AFTER INSERT ON ${schema}.naksha_tx
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.naksha_tx_wake();

-- The right to be the sequencer, until the session ends or gives it up.
CREATE FUNCTION ${schema}.naksha_sequencer_lead() RETURNS boolean
  LANGUAGE sql VOLATILE AS $$
SELECT pg_try_advisory_lock(hashtext('${schema}.naksha'), hashtext('sequencer'))
$$;

-- One round: numbers up to so many transactions that are visible and have no number, by txn, and
-- says how many. All signals of a transaction get the same number.
--
-- The counter's row is locked first, so rounds come one after the other, whoever makes them. The
-- numbering is one statement with one snapshot, taken after that: what a later round numbers wasn't
-- visible to it. Counter and numbers are committed together.
--
-- Days that are settled aren't looked at. A transaction has its xid before it takes its txn; so all
-- that have a txn up to mark_txn, read before this round had an xid of its own, have a lower xid.
-- Once none of those is under way, prepared ones included, each of them is visible or undone.
-- A mark_xid above all xids came with a dump of another server. What was under way there isn't in
-- the dump and never will be, so its mark holds at once.
-- A search of "all" looks at every day, for rows that somebody has put there by hand.
CREATE FUNCTION ${schema}.naksha_sequence(most int, search text DEFAULT 'open') RETURNS int
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  state ${schema}.naksha_sequencer;
  above bigint := CASE search WHEN 'all' THEN 0
    ELSE (SELECT settled FROM ${schema}.naksha_sequencer) END;
  fresh boolean := pg_current_xact_id_if_assigned() IS NULL;
  last bigint;
  xid bigint;
  oldest bigint;
  newest bigint;
  waiting boolean;
  found int;
BEGIN
  -- A look that finds nothing leaves nothing behind, not even an xid.
  EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.naksha_tx '
    'WHERE seq_number IS NULL AND txn > %s)', above) INTO waiting;
  IF NOT waiting THEN
    RETURN 0;
  END IF;
  last := (SELECT last_value FROM ${schema}.naksha_tx_object_id_seq);
  xid := pg_current_xact_id()::text::bigint;
  SELECT * INTO STRICT state FROM ${schema}.naksha_sequencer FOR UPDATE;
  oldest := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  newest := greatest(xid, pg_snapshot_xmax(pg_current_snapshot())::text::bigint);
  state.seq_ts := greatest(state.seq_ts, clock_timestamp());
  -- Planned anew each time, so that settled days cost nothing.
  EXECUTE format($numbering$
    WITH fresh AS MATERIALIZED (
      SELECT DISTINCT txn FROM ${schema}.naksha_tx WHERE seq_number IS NULL AND txn > %1$s
      ORDER BY txn LIMIT %2$s
    ), numbered AS MATERIALIZED (
      SELECT txn, %3$s + row_number() OVER (ORDER BY txn) AS number FROM fresh
    ), signals AS (
      UPDATE ${schema}.naksha_tx t SET seq_number = n.number, seq_ts = %4$L
      FROM numbered n WHERE t.txn = n.txn AND t.txn > %1$s AND t.seq_number IS NULL
      RETURNING t.txn, t.action, t.id, n.number
    ), heads AS (
      INSERT INTO ${schema}.naksha_heads AS h
        SELECT DISTINCT ON (id) id, number, txn FROM signals WHERE action <> 'MESSAGE'
        ORDER BY id, number DESC
        ON CONFLICT (collection) DO UPDATE SET number = excluded.number, txn = excluded.txn
    ), days AS (
      INSERT INTO ${schema}.naksha_tx_days AS d
        SELECT ${schema}.naksha_day(txn) AS day, min(number), max(number) FROM numbered GROUP BY day
        ON CONFLICT (day) DO UPDATE SET highest = excluded.highest
    )
    SELECT count(*) FROM numbered
    $numbering$, above, most, state.number, state.seq_ts) INTO found;
  IF found < most AND (oldest >= state.mark_xid OR state.mark_xid > newest) THEN
    state.settled := greatest(state.settled, state.mark_txn);
    IF fresh THEN
      state.mark_txn := last;
      state.mark_xid := xid;
    END IF;
  END IF;
  UPDATE ${schema}.naksha_sequencer SET number = state.number + found,
    seq_ts = CASE found WHEN 0 THEN seq_ts ELSE state.seq_ts END,
    settled = state.settled, mark_txn = state.mark_txn, mark_xid = state.mark_xid;
  IF found > 0 THEN
    PERFORM pg_notify(left('naksha_seq_${schema}', 60), '');
  END IF;
  RETURN found;
END $$;
