// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static io.tidemark.features.TestStorage.point;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A role that may only read opens a storage that is up to date, and reads all of it. */
@ExtendWith(ServerExtension.class)
class ReaderRoleTest {

  private static final MaintainOptions MERGING = MaintainOptions.defaults().mergingMonths();

  /** Where a new role with the right to SELECT connects to. */
  private static String reader(TestStorage storage) throws SQLException {
    String role = "reader_" + UUID.randomUUID().toString().replace("-", "");
    storage.psql.run(
        "CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(role),
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role);
    return storage.url.replaceAll("user=[^&]*&password=[^&]*", "user=" + role + "&password=secret");
  }

  @Test
  void theRightToReadIsEnoughToRead(PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      String foo = storage.small();
      storage.put(foo, point("a", "[1, 2]", "", ""), point("b", "[1, 2]", "", ""));
      storage.features.write(
          ALICE, foo, List.of(Write.update(Feature.parse(point("a", "[3, 4]", "", "")))));

      try (Features features = Features.open(reader(storage), "store")) {
        Optional<Feature> now = features.read(r -> r.byId(foo, "a"));
        assertThat(now).isPresent();
        List<Feature> versions = features.read(r -> r.versions(foo, "a"));
        assertThat(versions).hasSize(2);
        List<Feature> then = features.read(r -> r.byIdsAt(foo, List.of("a"), Instant.now()));
        assertThat(then).hasSize(1);
        assertThat(features.read(ReadTransaction::collections))
            .extracting(CollectionInfo::id)
            .containsExactly(foo);
        assertThat(features.read(r -> r.collection(foo)).partitioned()).isFalse();
        FeatureQuery query = FeatureQuery.from(foo).limit(1).build();
        FeatureQueryPage first = features.read(r -> r.query(query));
        FeatureQuery next = query.after(first.next().orElseThrow());
        assertThat(features.read(r -> r.query(next)).features()).hasSize(1);
        assertThat(features.log().last(5)).isNotEmpty();

        List<Write> writes = List.of(Write.delete("a"));
        assertThatThrownBy(() -> features.write(ALICE, foo, writes))
            .isInstanceOf(StorageUnusableException.class)
            .hasMessageContaining("permission denied");
      }
      assertThatThrownBy(() -> Features.open(reader(storage), "other"))
          .isInstanceOf(StorageUnusableException.class)
          .hasMessageContaining("holds the storage 'store', not 'other'");
    }
  }

  /** A state that was made and replaced on a day long ago. */
  private static void past(Psql psql, String schema, String c, String id, LocalDate day)
      throws SQLException {
    psql.run(
        "SELECT %s.naksha_history_partition('%s', '%s')".formatted(schema, c, day),
        ("INSERT INTO %1$s.%2$s_hst (i, jsondata) SELECT nextval('%1$s.%2$s_i_seq'),"
                + " jsonb_build_object('id', '%3$s', 'properties', jsonb_build_object("
                + "'@ns:com:here:xyz', jsonb_build_object('txn', %4$d, 'txn_next', %4$d)))")
            .formatted(schema, c, id, Txn.of(day, 1).value()));
  }

  private static void maintain(Features features) {
    assertThat(((MaintenanceOutcome.Done) features.maintain(MERGING)).failed()).isEmpty();
  }

  @Test
  void tablesThatTheMaintainerMakesCanBeReadByWhoMayReadTheHistory(PostgresServer server)
      throws SQLException {
    LocalDate old = LocalDate.now(ZoneOffset.UTC).minusDays(120).withDayOfMonth(1);
    try (TestStorage storage = TestStorage.in(server)) {
      String foo = storage.small();
      past(storage.psql, "public", foo, "a", old);
      past(storage.psql, "public", foo, "a", old.plusDays(1));
      try (Features features = Features.open(reader(storage), "store")) {
        List<Feature> days = features.read(r -> r.versions(foo, "a"));
        assertThat(days).hasSize(2);

        maintain(storage.features);
        past(storage.psql, "public", foo, "a", old.plusMonths(1));

        assertThat(
                storage.psql.values(
                    "SELECT name FROM naksha_partitions('%s_hst') LIMIT 2".formatted(foo)))
            .as("a month and a day")
            .containsExactly(
                table(foo, old).substring(0, foo.length() + 12), table(foo, old.plusMonths(1)));
        List<Feature> versions = features.read(r -> r.versions(foo, "a"));
        assertThat(versions).hasSize(3);
      }
    }
  }

  private static String table(String collection, LocalDate day) {
    return collection + "_hst_" + day.toString().replace('-', '_');
  }

  /** Such as a superuser who looks after the storages of others. */
  @Test
  void whatSomebodyElseMakesBelongsToTheOwnerOfTheStorage(PostgresServer server)
      throws SQLException {
    LocalDate old = LocalDate.now(ZoneOffset.UTC).minusDays(120).withDayOfMonth(1);
    try (TestStorage storage = TestStorage.in(server)) {
      String url = reader(storage) + "&currentSchema=own";
      String owner = url.replaceAll(".*user=([^&]*).*", "$1");
      storage.psql.run("CREATE SCHEMA own AUTHORIZATION " + owner);
      try (Features own = Features.open(url, "store");
          Features superuser = Features.open(storage.url + "&currentSchema=own", "store")) {
        own.transact(
            ALICE, tx -> tx.collections().create("foo", CollectionOptions.none().unpartitioned()));
        past(storage.psql, "own", "foo", "a", old);
        past(storage.psql, "own", "foo", "a", old.plusDays(1));
        maintain(superuser);
        past(storage.psql, "own", "foo", "a", old.plusMonths(1));

        List<Feature> versions = own.read(r -> r.versions("foo", "a"));
        assertThat(versions).hasSize(3);
        maintain(own);
        assertThat(
                storage.psql.values(
                    "SELECT DISTINCT relowner::regrole FROM pg_class WHERE relnamespace ="
                        + " 'own'::regnamespace"))
            .containsExactly(owner);
        assertThat(
                storage.psql.number(
                    "SELECT count(*) FROM own.naksha_partitions('foo_hst') WHERE length(part) = 7"))
            .as("months")
            .isEqualTo(2);
      }
    }
  }

  @Test
  void whatIsNotInstalledYetNeedsMore(PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      String url = reader(storage);
      storage.psql.run("CREATE SCHEMA empty", "GRANT USAGE ON SCHEMA empty TO PUBLIC");
      assertThatThrownBy(() -> Features.open(url + "&currentSchema=empty", "store"))
          .isInstanceOf(StorageUnusableException.class)
          .hasMessageContaining("permission denied for schema empty");
    }
  }
}
