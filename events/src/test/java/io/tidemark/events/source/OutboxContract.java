// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.objects.ObjectBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the outbox of a ledger does on every store. */
abstract class OutboxContract implements OutboxCommitContract, OutboxReplayContract {

  private OutboxFixture outboxFixture;

  /** A store of this test's own, which is empty. */
  abstract ObjectBackend open();

  @BeforeEach
  final void openStore() {
    outboxFixture = OutboxFixture.on(open());
  }

  @AfterEach
  final void closeStore() throws Exception {
    outboxFixture.close();
  }

  @Override
  public final OutboxFixture place() {
    return outboxFixture;
  }
}
