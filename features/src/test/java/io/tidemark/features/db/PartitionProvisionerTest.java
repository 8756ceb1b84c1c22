// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.Features;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A storage that is open for days. */
@ExtendWith(ServerExtension.class)
class PartitionProvisionerTest {

  private static final String DAYS =
      "SELECT count(*) FROM pg_inherits WHERE inhparent = '%s.naksha_tx'::regclass";

  @Test
  void theTablesOfTheDaysToComeAreMadeOnceADay(PostgresServer server) {
    String url = server.createDatabase();
    Features.open(url, "store").close();
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-31T23:59:59Z"));
    InstantSource clock = now::get;
    try (Database database = Database.connect(url, FeaturesOptions.defaults())) {
      FeatureStorage featureStorage =
          new FeatureStorage(database, new SchemaLocation("public", "store"));
      PartitionProvisioner ahead =
          new PartitionProvisioner(featureStorage, clock.withZone(ZoneOffset.UTC));
      dropLastDay(featureStorage);

      ahead.provision();
      assertThat(days(featureStorage)).as("it is the same day").isEqualTo(2);
      now.set(Instant.parse("2026-02-01T00:00:00Z"));
      ahead.provision();
      assertThat(days(featureStorage)).isEqualTo(3);
      dropLastDay(featureStorage);
      ahead.provision();
      assertThat(days(featureStorage)).as("it was done").isEqualTo(2);
    }
  }

  private static long days(FeatureStorage featureStorage) {
    return featureStorage.inTransaction(s -> s.queryLong(DAYS));
  }

  private static void dropLastDay(FeatureStorage featureStorage) {
    featureStorage.inTransaction(
        s -> {
          String last =
              s.queryText(
                      "SELECT max(inhrelid::regclass::text) FROM pg_inherits"
                          + " WHERE inhparent = '%s.naksha_tx'::regclass")
                  .orElseThrow();
          s.run("DROP TABLE " + last);
          return true;
        });
  }
}
