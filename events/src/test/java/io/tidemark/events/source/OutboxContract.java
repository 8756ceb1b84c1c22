// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.objects.ObjectBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the outbox of a ledger does on every store. */
abstract class OutboxContract implements OutboxCommitContract, OutboxReplayContract {

  private Place place;

  /** A store of this test's own, which is empty. */
  abstract ObjectBackend open();

  @BeforeEach
  final void openStore() {
    place = Place.on(open());
  }

  @AfterEach
  final void closeStore() throws Exception {
    place.close();
  }

  @Override
  public final Place place() {
    return place;
  }
}
