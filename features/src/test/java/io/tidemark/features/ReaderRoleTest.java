// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static io.tidemark.features.TestStorage.point;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Page;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A role that may only read opens a storage that is up to date, and reads all of it. */
@ExtendWith(Servers.class)
class ReaderRoleTest {

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
        assertThat(features.read(Reading::collections))
            .extracting(CollectionInfo::id)
            .containsExactly(foo);
        assertThat(features.read(r -> r.collection(foo)).partitioned()).isFalse();
        FeatureQuery query = FeatureQuery.from(foo).limit(1).build();
        Page first = features.read(r -> r.query(query));
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
