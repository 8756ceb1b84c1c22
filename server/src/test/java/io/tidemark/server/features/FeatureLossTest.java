// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.Features;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.servers.PostgresServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a server says when its database is away. */
final class FeatureLossTest extends FeatureRoutesFixture {

  private static final Duration SOON = Duration.ofSeconds(1);

  @Test
  void aLostDatabaseIsUnavailableAndALostCommitIsToldAsSuch(PostgresServer postgres)
      throws Exception {
    String url = postgres.createDatabase();
    NameService names = NameService.open("memory:");
    FeaturesOptions options =
        FeaturesOptions.defaults().withConnectTimeout(SOON).withCommitPatience(SOON);
    try (SeverableProxy severableProxy = SeverableProxy.to(url);
        Features far = Features.open(severableProxy.url(url), "store", options);
        RunningServer lossy =
            new RunningServer(new ServerResources(names, names.objects(), Optional.of(far)))) {
      ok(lossy.send("PUT", "/v1/collections/c", "{\"partitioned\": false}"));
      severableProxy.cutAtCommit();
      JsonNode unknown =
          problem(504, "outcome-unknown", lossy.send("PUT", all("c") + "/a", point("a", "x")));
      assertThat(unknown.path("detail").asText()).contains("GET /v1/transactions/outcome");
      problem(503, "unavailable", lossy.get(all("c")));

      severableProxy.mend();
      JsonNode outcome =
          ok(
              lossy.get(
                  "/v1/transactions/outcome?transaction="
                      + unknown.path("transaction").asText()
                      + "&began="
                      + encoded(unknown.path("began").asText())));
      boolean there = lossy.get(all("c") + "/a").statusCode() == 200;
      assertThat(outcome.path("tookPlace").asBoolean()).isEqualTo(there).isTrue();
    }
  }
}
