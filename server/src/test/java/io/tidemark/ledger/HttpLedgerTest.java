// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.ServerProblemException;
import io.tidemark.server.objects.HttpObjectServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a ledger does on every store, on the objects of a server. Of the suites that {@code
 * LedgerContract} is made of those are left out that make no requests of another kind.
 */
class HttpLedgerTest
    implements InitContract,
        CommitContract,
        IndexContract,
        SchemaContract,
        DropContract,
        OrphanCollectorContract,
        CompactionContract,
        ObsoleteSnapshotsContract,
        BranchContract,
        OutboxContract {

  private static HttpObjectServer server;
  private LedgerFixture fixture;

  @BeforeAll
  static void start() {
    server = new HttpObjectServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void openStore() {
    fixture = new LedgerFixture(server.anew());
  }

  @AfterEach
  void closeStore() {
    fixture.close();
  }

  @Override
  public LedgerFixture fixture() {
    return fixture;
  }

  /** Not on a server: who owns it is told by where it is. */
  @Test
  @Override
  public void a5_aLedgerMayBeAtTheRootOfItsStore() {
    LedgerInitializer init = new LedgerInitializer(fixture.store(), "");
    assertThatThrownBy(init::init)
        .isInstanceOf(ServerProblemException.class)
        .hasMessage(
            "meta/head.json is no object of a ledger or of events, and no other is served here");
  }
}
