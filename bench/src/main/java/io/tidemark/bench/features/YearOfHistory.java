// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.features.Features;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.Tile;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many features, a thousand of which are changed on each day of a year, each once in thirty days.
 * The server makes them without the triggers, since those would write all of it today.
 *
 * @param today the last day
 * @param days how many days
 * @param changed how many have a history; the others are as they were created
 */
record YearOfHistory(LocalDate today, int days, int changed) {

  private static final int APART = 30;
  private static final int MOST_CHANGED = 1_000 * APART;
  private static final long ROWS_A_DAY = 10_000_000;

  private static final String STATE =
      """
      jsonb_build_object('id', 'f' || n, 'type', 'Feature', 'properties', jsonb_build_object(
        'name', 'road ' || n, 'speedLimit', n % 130, '@ns:com:here:xyz', jsonb_build_object(
        'uuid', format('store:@c@:%s:%s:%s:%s', t.year, t.month, t.day, i), 'puuid', NULL,
        'txn', txn, 'txn_next', @next@, 'txn_uuid', 'store:txn:2026:1:1:0', 'action', 'UPDATE',
        'version', 1, 'createdAt', 1794800000000, 'updatedAt', 1794800000000,
        'rt_ts', 1794800000000, 'author', 'alice', 'author_ts', 1794800000000, 'app_id', 'bench',
        'stream_id', NULL, 'tags', jsonb_build_array('t' || n % 1000, 'u' || n % 100),
        'crid', NULL, 'qrid', naksha_qrid(geo), 'mrid', naksha_qrid(geo), 'extend', 0)))
      """;

  /** States that were made @ago@ days ago, on a grid, so that a box has a known number of them. */
  private static final String ROWS =
      "INSERT INTO @table@ (i, geo, jsondata) SELECT i, geo, "
          + STATE
          + " FROM generate_series(@first@, @last@, @step@) AS n, LATERAL (SELECT @ago@ AS ago,"
          + " st_setsrid(st_makepoint(n % 1000 * 0.01, n / 1000 * 0.01, 0), 4326) AS geo) AS p,"
          + " LATERAL (SELECT n + ago * "
          + ROWS_A_DAY
          + "::bigint AS i,"
          + " naksha_txn((date '@today@' - ago)::timestamp AT TIME ZONE 'UTC', 1) AS txn) AS s,"
          + " naksha_txn(s.txn) AS t";

  static YearOfHistory make(String url, String collection, FeaturesScale scale)
      throws SQLException {
    int changed = Math.min(MOST_CHANGED, scale.features());
    YearOfHistory year = new YearOfHistory(LocalDate.now(ZoneOffset.UTC), scale.days(), changed);
    try (Features features = Features.open(url, "store")) {
      features.transact(
          TidemarkFeatureWriter.ALICE,
          tx -> tx.collections().create(collection, CollectionShape.LEAVES.options()));
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE %s DISABLE TRIGGER ALL".formatted(collection));
      for (char leaf : "0123456789abcdef".toCharArray()) {
        statement.execute("ALTER TABLE %s_%s DISABLE TRIGGER ALL".formatted(collection, leaf));
      }
      for (int ago = scale.days() - 1; ago >= 0; ago--) {
        statement.execute(
            "SELECT naksha_history_partition('%s', '%s')"
                .formatted(collection, year.today.minusDays(ago)));
        statement.execute(year.replacedOn(ago).replace("@c@", collection));
      }
      statement.execute(year.current(scale.features()).replace("@c@", collection));
      statement.execute("ANALYZE " + collection);
      statement.execute("ANALYZE %s_hst".formatted(collection));
    }
    return year;
  }

  /** What was replaced so many days ago. */
  private String replacedOn(int ago) {
    return ROWS.replace("@table@", "@c@_hst")
        .replace("@next@", txn(ago).toString())
        .replace("@first@", Integer.toString(ago % APART))
        .replace("@last@", Integer.toString(changed - 1))
        .replace("@step@", Integer.toString(APART))
        .replace("@ago@", Integer.toString(ago + APART))
        .replace("@today@", today.toString());
  }

  private String current(int features) {
    return ROWS.replace("@table@", "@c@")
        .replace("@next@", "0")
        .replace("@first@", "0")
        .replace("@last@", Integer.toString(features - 1))
        .replace("@step@", "1")
        .replace("@ago@", "CASE WHEN n < %d THEN n %% %d ELSE 0 END".formatted(changed, APART))
        .replace("@today@", today.toString());
  }

  private Txn txn(int ago) {
    return Txn.of(today.minusDays(ago), 1);
  }

  /** One of those that were changed today, and every thirty days before. */
  int feature(int n) {
    return APART * Math.floorMod(n * 7919, changed / APART);
  }

  String id(int feature) {
    return "f" + feature;
  }

  /** A hundred that begin with one. */
  List<String> ids(int feature) {
    return IntStream.range(feature, feature + 100).mapToObj(n -> "f" + n).toList();
  }

  double lon(int feature) {
    return feature % 1000 * 0.01;
  }

  double lat(int feature) {
    return Math.floorDiv(feature, 1000) * 0.01;
  }

  /** Two rows and columns of the grid on each side of it, unless the world of them ends there. */
  Area box(int feature) {
    return Area.box(
        lon(feature) - 0.021, lat(feature) - 0.021, lon(feature) + 0.021, lat(feature) + 0.021);
  }

  /** The tile it is in. */
  Tile tile(int feature) {
    double tiles = 1 << 14;
    return new Tile(
        Tile.Kind.HERE,
        14,
        (long) ((lon(feature) + 180) / 360 * tiles),
        (long) ((lat(feature) + 90) / 360 * tiles));
  }

  /** The GUID of the state it is in. */
  String current(String collection, int feature) {
    return guid(collection, feature, 0);
  }

  /** The GUID of a state from the middle of the year. */
  String replaced(String collection, int feature) {
    return guid(collection, feature, APART * (1 + days / (2 * APART)));
  }

  private String guid(String collection, int feature, int ago) {
    LocalDate day = today.minusDays(ago);
    return "store:%s:%d:%d:%d:%d"
        .formatted(
            collection,
            day.getYear(),
            day.getMonthValue(),
            day.getDayOfMonth(),
            feature + ago * ROWS_A_DAY);
  }

  Txn middle() {
    return txn(days / 2);
  }
}
