// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What a bus does on every store, by topic in the interfaces it is made of. A name that begins with
 * {@code j3_} is that case of the specification, one with {@code f22_} is a flaw that we don't
 * share.
 */
abstract class EventsContract
    implements PublishContract,
        ClaimContract,
        SettleContract,
        DeadLetterContract,
        SessionContract,
        ArchiveContract,
        CleanupContract,
        BadObjectsContract,
        HandlerContract {

  private EventsFixture fixture;

  /** A store of this test's own, which is empty. */
  abstract ObjectBackend open();

  @BeforeEach
  final void openStore() {
    fixture = new EventsFixture(open());
  }

  @AfterEach
  final void closeStore() {
    fixture.close();
  }

  @Override
  public final EventsFixture fixture() {
    return fixture;
  }
}
