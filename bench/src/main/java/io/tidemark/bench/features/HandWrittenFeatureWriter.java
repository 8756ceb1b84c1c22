// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.BareTables.Columns;
import io.tidemark.features.Features;
import java.sql.SQLException;
import java.util.List;

/**
 * Leaves the same rows as ours, by hand: an update keeps the state it replaces, a deletion leaves a
 * deletion copy and two states in the history, which the server builds from what is stored, as it
 * does for ours. Every statement is as good as we know how to write it, and there are no triggers,
 * no log and no answers.
 */
final class HandWrittenFeatureWriter implements FeatureWriter {

  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  /** Read once a statement, not once a row. */
  private static final String TXN = "(SELECT (?::text[])[1]::jsonb)";

  private static final String CLOSED =
      "jsonb_set(%s, '{properties,@ns:com:here:xyz,txn_next}', " + TXN + ")";

  private static final String UPDATE =
      "WITH u AS MATERIALIZED (SELECT unnest(?::text[]) AS id, unnest(?::bigint[]) AS i,"
          + " unnest(?::text[]) AS geo, unnest(?::text[]) AS jsondata),"
          + " kept AS (INSERT INTO floor_hst (i, geo, jsondata) SELECT h.i, h.geo, "
          + CLOSED.formatted("h.jsondata")
          + " FROM u JOIN floor h ON @same@)"
          + " UPDATE floor h SET i = u.i, geo = u.geo::geometry, jsondata = u.jsondata::jsonb"
          + " FROM u WHERE @same@";

  private static final String DELETE =
      "WITH gone AS (DELETE FROM floor h USING unnest(?::text[]) AS u(id) WHERE @same@"
          + " RETURNING h.i, h.geo, h.jsondata), dead AS ("
          + "INSERT INTO floor_del (i, geo, jsondata) SELECT g.i, g.geo, jsonb_set(g.jsondata,"
          + " '{properties,@ns:com:here:xyz}', jsonb_build_object('txn', "
          + TXN
          + ","
          + " 'crid', was->'crid', 'mrid', was->'mrid', 'qrid', was->'qrid',"
          + " 'tags', was->'tags', 'uuid', 'store:floor:2026:11:16:' || g.i,"
          + " 'puuid', was->'uuid', 'rt_ts', '1794800000000'::jsonb,"
          + " 'action', '\"DELETE\"'::jsonb, 'app_id', '\"bench\"'::jsonb,"
          + " 'author', '\"alice\"'::jsonb, 'extend', was->'extend',"
          + " 'version', (was->>'version')::bigint + 1, 'txn_next', '0'::jsonb,"
          + " 'txn_uuid', '\"store:txn:2026:11:16:1\"'::jsonb,"
          + " 'author_ts', '1794800000000'::jsonb, 'createdAt', was->'createdAt',"
          + " 'stream_id', 'null'::jsonb, 'updatedAt', '1794800000000'::jsonb)) AS jsondata"
          + " FROM (SELECT nextval('floor_i_seq') AS i, geo, jsondata, "
          + XYZ
          + " AS was FROM gone) AS g RETURNING i, geo, jsondata)"
          + " INSERT INTO floor_hst (i, geo, jsondata) SELECT i, geo, "
          + CLOSED.formatted("jsondata")
          + " FROM gone UNION ALL SELECT i, geo, "
          + CLOSED.formatted("jsondata")
          + " FROM dead";

  private final BareTables tables;
  private final CollectionShape collectionShape;
  private long txn;

  /**
   * By hand.
   *
   * @param txn the number of the first transaction, of today, since that is the day whose
   *     partitions there are; each batch takes the next, or keys of the history would be the same
   *     for all states of a feature, and smaller than ours
   */
  HandWrittenFeatureWriter(Features features, String url, CollectionShape collectionShape, long txn)
      throws SQLException {
    this.tables = BareTables.of(features, url, "floor", collectionShape);
    this.collectionShape = collectionShape;
    this.txn = txn;
    // States that are written come with numbers of ours; those of deletions must not meet them.
    tables.run("ALTER SEQUENCE floor_i_seq RESTART WITH 1000000000");
    tables.run("COMMIT");
  }

  @Override
  public PreparedBatch batch(WriteKind writeKind, List<SampleFeature> samples) {
    Columns columns = tables.columns(writeKind, samples);
    List<String> number = List.of(Long.toString(txn++));
    List<String> states =
        columns.states().stream().map(state -> state(state, writeKind, number.get(0))).toList();
    return switch (writeKind) {
      case INSERT ->
          () ->
              tables.change(
                  BareFeatureWriter.INSERT.formatted("floor"),
                  columns.numbers(),
                  columns.geometries(),
                  states);
      case UPDATE, UPSERT ->
          () ->
              tables.change(
                  filled(UPDATE),
                  columns.ids(),
                  columns.numbers(),
                  columns.geometries(),
                  states,
                  number);
      case DELETE -> () -> tables.change(filled(DELETE), columns.ids(), number, number, number);
    };
  }

  /** A state of this transaction, and an update names the state before. */
  private static String state(String state, WriteKind writeKind, String txn) {
    String made = state.replace(SampleFeature.TXN, txn);
    return writeKind == WriteKind.INSERT
        ? made
        : made.replace("\"puuid\":null", "\"puuid\":\"store:bare:2026:11:16:100000\"");
  }

  private String filled(String sql) {
    return sql.replace("@same@", collectionShape.same());
  }

  @Override
  public long pid() throws SQLException {
    return tables.pid();
  }

  @Override
  public void close() throws SQLException {
    tables.close();
  }
}
