// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.HttpObjectBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.server.ConnectionBreakingProxy;
import io.tidemark.server.ConnectionBreakingProxy.Break;
import io.tidemark.server.objects.HttpObjectServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each request of a commit breaks off in turn, wherever a connection can; none is lost by it. */
class BrokenCommitsTest {

  private static HttpObjectServer server;

  @BeforeAll
  static void start() {
    server = new HttpObjectServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void aCommitIsMadeOnceWhicheverRequestBreaksOff(Break where) throws IOException {
    List<String> expected =
        List.of("1 insert entity:Customer c1", "2 update_version entity:Customer c1");
    try (ConnectionBreakingProxy proxy = new ConnectionBreakingProxy(server.address())) {
      int calm = commit(proxy, -1, where, expected);
      assertThat(calm).isBetween(8, 60);
      // All of them in a soak; else some, and others for each way to break off.
      int step = Boolean.getBoolean("soak") ? 1 : 12;
      for (int i = Math.floorMod(where.name().length(), step); i < calm; i += step) {
        commit(proxy, i, where, expected);
      }
    }
  }

  /** Makes two commits, breaks one of the requests off, and returns how many there were. */
  private static int commit(
      ConnectionBreakingProxy proxy, int broken, Break where, List<String> expected) {
    server.anew();
    HttpObjectBackend client = new HttpObjectBackend(ServerConnection.open(proxy.address()));
    try (LedgerFixture fixture = new LedgerFixture(client)) {
      fixture.initialiser().init();
      AtomicInteger requests = new AtomicInteger();
      proxy.next(line -> requests.getAndIncrement() == broken, where);
      try (Ledger ledger = fixture.open();
          Session session = ledger.session(Models.all())) {
        assertThat(session.ensure(Customer.of("c1", 30)).commit()).isPresent();
        assertThat(session.ensure(Customer.of("c1", 31)).commit()).isPresent();
      }
      int made = requests.get();
      proxy.heal();
      Ledger again = fixture.open();
      List<String> told = new ArrayList<>();
      for (long id = 1; id <= again.log().head().orElse(0L); id++) {
        for (String line : LedgerFixture.told(again, id)) {
          told.add(id + " " + line.substring(0, line.indexOf(" {")));
        }
      }
      assertThat(told).as("request %d breaks off: %s", broken, where).isEqualTo(expected);
      return made;
    }
  }
}
