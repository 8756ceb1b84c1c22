// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.At;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.log.LogGoneException;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What only the log can tell is refused when its days were dropped, although history is kept. */
@ExtendWith(ServerExtension.class)
class LogRetentionTest {

  private final TestStorage storage;
  private final Psql psql;
  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

  LogRetentionTest(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private static Instant at(LocalDate day, int hour) {
    return day.atTime(LocalTime.of(hour, 0)).toInstant(ZoneOffset.UTC);
  }

  /** A feature that a transaction at noon of a day made, and that today's first has replaced. */
  private void past(String collection, LocalDate day) throws SQLException {
    long txn = Txn.of(day, 1).value();
    psql.run(
        "SELECT naksha_partition('naksha_tx', '%s', '{}')".formatted(day),
        ("INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) VALUES ('%s', 3, %d,"
                + " 'MODIFY_FEATURES', '%s', 'app')")
            .formatted(at(day, 12), txn, collection),
        ("INSERT INTO %1$s_hst (i, jsondata) SELECT nextval('%1$s_i_seq'), jsonb_build_object('id',"
                + " 'a', 'properties', jsonb_build_object('@ns:com:here:xyz',"
                + " jsonb_build_object('txn', %2$d, 'txn_next', %3$d)))")
            .formatted(collection, txn, Txn.of(today, 0).value()));
    storage.features.log().sequence();
  }

  private List<Feature> read(String collection, Instant moment) {
    return storage.features.read(r -> r.byIdsAt(collection, List.of("a"), moment));
  }

  @Test
  void aMomentWhoseDayTheLogHasLostIsRefusedAndATransactionIsNot(@TempDir Path directory)
      throws SQLException {
    String foo = storage.small();
    LocalDate old = today.minusDays(9);
    past(foo, old);
    assertThat(read(foo, at(old, 11))).isEmpty();
    assertThat(read(foo, at(old, 13))).hasSize(1);

    storage.features.maintain(MaintainOptions.defaults().keepingLogFor(5));

    assertThatThrownBy(() -> read(foo, at(old, 13)))
        .isInstanceOf(LogGoneException.class)
        .hasMessageContaining("the log of %s was dropped", old)
        .hasMessageContaining("give the number of a transaction");
    FeatureQuery query = FeatureQuery.from(foo).at(at(old, 13)).build();
    assertThatThrownBy(() -> storage.features.read(r -> r.query(query)))
        .isInstanceOf(LogGoneException.class);
    assertThatThrownBy(
            () ->
                storage
                    .features
                    .bulk()
                    .export(
                        foo,
                        CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ)
                            .with(new At.Moment(at(old, 13))))
                    .to(directory.resolve("a.geojsonl"), rows -> {}))
        .isInstanceOf(LogGoneException.class);
    List<Feature> byNumber =
        storage.features.read(r -> r.byIdsAt(foo, List.of("a"), Txn.of(old, 1)));
    assertThat(byNumber).hasSize(1);
    // Nothing was done on the day before, and on the day after all that was done before is there.
    assertThat(read(foo, at(old.minusDays(1), 13))).isEmpty();
    assertThat(read(foo, at(old.plusDays(1), 13))).hasSize(1);
  }

  @Test
  void aPageWhoseLogIsGoneIsRefusedAndThatOfALaterQueryIsNot() throws SQLException {
    String foo = storage.small();
    for (String id : List.of("a", "b", "c")) {
      storage.put(foo, TestStorage.point(id, "[1, 2]", "", ""));
    }
    FeatureQuery query = FeatureQuery.from(foo).limit(2).build();
    FeatureQueryPage first = storage.features.read(r -> r.query(query));
    FeatureQuery next = query.after(first.next().orElseThrow());
    storage.features.write(ALICE, foo, List.of(Write.delete("c")));
    storage.features.log().sequence();
    assertThat(storage.features.read(r -> r.query(next)).features()).hasSize(1);

    psql.run("SELECT naksha_tx_drop('%s')".formatted(today));

    assertThatThrownBy(() -> storage.features.read(r -> r.query(next)))
        .isInstanceOf(LogGoneException.class)
        .hasMessageContaining("begin again with the first page");
    storage.put(foo, TestStorage.point("c", "[1, 2]", "", ""));
    FeatureQueryPage again = storage.features.read(r -> r.query(query));
    FeatureQuery rest = query.after(again.next().orElseThrow());
    assertThat(storage.features.read(r -> r.query(rest)).features()).hasSize(1);
  }

  @Test
  void aCommitThatOnlyTheLostDayCouldTellOfIsUnknown() throws SQLException {
    String foo = storage.small();
    storage.put(foo, "{\"id\": \"a\"}");
    String last = " FROM naksha_tx ORDER BY txn DESC LIMIT 1";
    CommitUnknownException lost =
        new CommitUnknownException(
            "lost",
            "store",
            psql.value("SELECT psql_id" + last),
            psql.value("SELECT ts" + last),
            new IOException("reset"));
    assertThat(storage.features.wasCommitted(lost)).isTrue();
    storage.features.log().sequence();

    psql.run("SELECT naksha_tx_drop('%s')".formatted(today));

    assertThatThrownBy(() -> storage.features.wasCommitted(lost))
        .isInstanceOf(CommitUnknownException.class)
        .hasMessageContaining(
            "transaction %s in storage 'store', and the log of its day was", lost.transactionId());
  }
}
