// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.objects.ConcernWriter.Attempt;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.Optional;

/** Changes of one concern, each tried until nobody else was faster. */
final class Mover {

  private final Documents documents;
  private final RecordReader reader;
  private final Turns turns;
  private final Retry retry;
  private final ConcernWriter main;
  private final ConcernWriter side;

  Mover(Documents documents, RecordReader reader, Turns turns, Retry retry, Clock clock) {
    this.documents = documents;
    this.reader = reader;
    this.turns = turns;
    this.retry = retry;
    MainChange change = new MainChange(documents, reader, clock);
    this.side = new SideConcernWriter(documents, reader, change, clock);
    this.main = new MainConcernWriter(reader, change, side);
  }

  Outcome change(Address address, Change change) {
    Retry.Backoff backoff = retry.start();
    Attempt attempt =
        new Attempt(change, new Existence(reader, address), new Patience(), documents.moment());
    Optional<Outcome> outcome =
        turns.take(
            address,
            () ->
                writer(attempt)
                    .attemptFromMemory(attempt)
                    .or(() -> writer(attempt).attempt(attempt)),
            result -> wasOvertaken(change, result));
    while (outcome.isEmpty()) {
      ContentionException.pauseOrGiveUp(backoff, address);
      outcome =
          turns.take(
              address,
              () -> writer(attempt).attempt(attempt),
              result -> wasOvertaken(change, result));
    }
    return outcome.get();
  }

  /**
   * Whether the caller, now that it knows what is there, is about to come back. Who wanted to go
   * where others are already won't.
   */
  private static boolean wasOvertaken(Change change, Optional<Outcome> outcome) {
    return change instanceof Change.Push && outcome.isPresent() && outcome.get() instanceof Refused;
  }

  /** Returns the writer for a concern, as far as is known where it lies. */
  private ConcernWriter writer(Attempt attempt) {
    Layout layout =
        reader.knownMain(attempt.address()).map(MainDocument::layout).orElse(reader.layout());
    return layout.apart().contains(attempt.concern()) ? side : main;
  }
}
