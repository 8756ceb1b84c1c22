// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.lease.LeaseLock;
import io.tidemark.objects.lease.LeaseMetrics;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus is told. */
final class MetricsTest {

  @Test
  void countsWhatIsAskedPushedAndStored(@TempDir Path directory) {
    try (NameService names = NameService.open(directory.toString());
        RunningServer server = new RunningServer(ServerResources.of(names))) {
      Address address = Address.parse("acme/crm");
      ConcernValue head =
          ConcernValue.of(3, Payload.build(json -> json.put("id", "c3").put("t", 3)));
      assertThat(names.push(address, Concern.HEAD, Optional.empty(), head).updated()).isTrue();
      assertThat(names.push(address, Concern.HEAD, Optional.empty(), head).updated()).isFalse();
      Address indexed = Address.parse("acme/indexed");
      assertThat(names.push(indexed, Concern.HEAD, Optional.empty(), head).updated()).isTrue();
      assertThat(names.ledgers().publishIndex(indexed, Ref.of("i1", 1)).updated()).isTrue();
      server.get("/v1/names/acme%2Fcrm");
      server.get("/v1/names/no-such-name");
      server.get("/no/such/path");
      // A request is counted when it is over, which its caller may know before.
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(server.get("/metrics").body())
                      .contains("route=\"none\",status=\"404\""));
      String text = server.get("/metrics").body();
      assertThat(text)
          .contains("tidemark_pushes_total{concern=\"head\",result=\"updated\"} 2.0")
          .contains("tidemark_pushes_total{concern=\"head\",result=\"conflict\"} 1.0")
          .contains(
              "tidemark_http_requests_seconds_count{method=\"GET\",route=\"/v1/names/{address}\",status=\"200\"} 1")
          .contains(
              "tidemark_http_requests_seconds_count{method=\"GET\",route=\"/v1/names/{address}\",status=\"404\"} 1")
          .contains("tidemark_http_requests_seconds_bucket{")
          .contains("tidemark_store_requests_seconds_count{kind=\"put\",result=\"ok\"}")
          .contains("tidemark_index_lag{ledger=\"acme/indexed:main\"} 2.0")
          .contains("tidemark_index_behind 1.0")
          .contains("tidemark_ledgers 2.0")
          .doesNotContain("acme/crm") // nobody ever published an index of it
          .contains("tidemark_watchers 0.0")
          .contains("tidemark_lease_takeovers_total")
          .contains("jvm_memory_used_bytes")
          .doesNotContain("no-such-name")
          .doesNotContain("/no/such/path");
    }
  }

  @Test
  void aConditionThatDoesntHoldIsSomebodyInTheWay(@TempDir Path directory) {
    try (NameService names = NameService.open(directory.toString());
        Meters meters = new Meters()) {
      meters.observe(names, Optional.empty());
      ObjectStore store = names.objects().orElseThrow();
      for (int i = 0; i < 3; i++) {
        store.put("once", Body.of("x" + i), Condition.ifAbsent());
      }
      assertThat(meters.scrape())
          .contains("tidemark_store_requests_seconds_count{kind=\"put\",result=\"lost\"} 2")
          .contains("tidemark_cas_retries_total 2.0");
    }
  }

  @Test
  void aLeaseThatWasLetExpireIsATakeover(@TempDir Path directory) {
    try (NameService names = NameService.open(directory.toString())) {
      var store = names.objects().orElseThrow();
      LeaseLock one = new LeaseLock(store, "lock", Duration.ofMillis(1));
      LeaseLock other = new LeaseLock(store, "lock", Duration.ofMinutes(1));
      assertThat(one.acquire("dies", Duration.ZERO)).isInstanceOf(LeaseLock.Acquired.class);
      long before = LeaseMetrics.takeovers();
      Awaitility.await()
          .until(() -> other.acquire("lives", Duration.ZERO) instanceof LeaseLock.Acquired);
      assertThat(LeaseMetrics.takeovers()).as("of all in this process").isGreaterThan(before);
    }
  }
}
