// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.upkeep.LedgerMaintainer;
import io.tidemark.server.upkeep.MaintenanceSchedule;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a config says isn't gone to unless it may be. */
final class AllowedLedgerLocationsTest {

  private static final Address CRM = Address.parse("crm");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "ledgers/crm/, true",
    "ledgers/victim/, false",
    "file:///srv/ledgers/crm/, true",
    "file:///srv/ledgersmore/crm/, false",
    "file:///srv/ledgers/../x/, false",
    "file:///srv/ledgers/%2e%2e/x/, false",
    "file:///srv/ledgers/crm?x=1, false",
    "https://evil/, false"
  })
  void onlyWhatIsBelowIsServed(String said, boolean served) {
    AllowedLedgerLocations places = AllowedLedgerLocations.below(List.of("file:///srv/ledgers/"));
    assertThat(places.serves(CRM, said)).isEqualTo(served);
  }

  @Test
  void anyIsServedToTheOwnMachineUnlessSomeWereNamed() {
    assertThat(AllowedLedgerLocations.besideNames().orAnywhere())
        .isEqualTo(AllowedLedgerLocations.anywhere());
    AllowedLedgerLocations named = AllowedLedgerLocations.below(List.of("file:///srv/ledgers/"));
    assertThat(named.orAnywhere()).isEqualTo(named);
  }

  /** A server elsewhere would be shown a token. */
  @Test
  void nobodyGoesToAServerThatAConfigNames() throws Exception {
    AtomicInteger visitors = new AtomicInteger();
    try (ServerSocket evil = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        NameService names = NameService.open(directory.toString());
        RunningServer server = new RunningServer(ServerResources.of(names))) {
      Thread host = new Thread(() -> host(evil, visitors), "evil");
      host.setDaemon(true);
      host.start();
      names.create(CRM);
      names.create(Address.parse("good"));
      String place = "http://127.0.0.1:" + evil.getLocalPort() + "/";
      HttpResponse<String> put =
          server.send(
              "PUT",
              "/v1/names/crm/config",
              """
              {"expected":{"watermark":0,"payload":null},
               "next":{"watermark":1,"payload":{"ledger":{"objects":"%s"}}}}"""
                  .formatted(place));
      assertThat(put.statusCode()).as(put.body()).isEqualTo(200);

      assertThat(server.send("POST", "/v1/names/crm/branches", "{\"branch\":\"x\"}").statusCode())
          .isEqualTo(409);
      assertThat(server.get("/v1/ledgers/crm").statusCode()).isEqualTo(400);
      MaintenanceSchedule quick =
          new MaintenanceSchedule(
              Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofHours(1), Duration.ofDays(1));
      try (NameFeed feed = new NameFeed(names, new FeedSettings(Duration.ofMillis(5), 2));
          LedgerMaintainer unused =
              LedgerMaintainer.start(
                  names,
                  feed,
                  LedgerOptions.standard(),
                  AllowedLedgerLocations.anywhere(),
                  "me",
                  quick)) {
        AtomicInteger rounds = new AtomicInteger();
        Awaitility.await().until(() -> rounds.incrementAndGet() > 5);
      }
      assertThat(visitors).hasValue(0);
    }
  }

  private static void host(ServerSocket socket, AtomicInteger visitors) {
    try {
      while (true) {
        socket.accept().close();
        visitors.incrementAndGet();
      }
    } catch (java.io.IOException e) {
      // closed
    }
  }
}
