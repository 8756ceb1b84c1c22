// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a {@link NameService}. Start from {@link #standard()} and change what is to differ.
 *
 * @param retry how long to retry while other writers win the race
 * @param clock tells when something was created or changed, for people to see
 * @param payloadLimit how many bytes a payload may have
 * @param announceEvery how often, at the most, other processes are told what moved; empty for
 *     never: they find out by their surveys, which takes longer
 * @param objects the store that is beside the names, if they are in none or in another
 */
@RecordBuilder
public record NameOptions(
    Retry retry,
    Clock clock,
    int payloadLimit,
    Optional<Duration> announceEvery,
    Optional<ObjectStore> objects)
    implements NameOptionsBuilder.With {

  /** How long a payload may be, unless the opener says otherwise. */
  public static final int STANDARD_PAYLOAD_LIMIT = 1 << 20;

  private static final Duration STANDARD_PAUSE = Duration.ofMillis(200);

  public static NameOptions standard() {
    return new NameOptions(
        Retry.standard(),
        Clock.systemUTC(),
        STANDARD_PAYLOAD_LIMIT,
        Optional.of(STANDARD_PAUSE),
        Optional.empty());
  }

  public NameOptions announcingEvery(Duration pause) {
    return withAnnounceEvery(Optional.of(pause));
  }

  /** Leaves no word for other processes. */
  public NameOptions withoutNotifications() {
    return withAnnounceEvery(Optional.empty());
  }

  /**
   * Returns options under which ledgers and events are in this store. The code that opened the
   * store closes it.
   */
  public NameOptions withLedgerStore(ObjectStore store) {
    return withObjects(Optional.of(store));
  }
}
