// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.objects.ConcernWriter.Attempt;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.Optional;

/** Writer of single concerns that retries each change until no other writer was faster. */
final class ConcernUpdater {

  private final DocumentStore documentStore;
  private final RecordReader reader;
  private final RecordLocks recordLocks;
  private final Retry retry;
  private final ConcernWriter main;
  private final ConcernWriter side;

  ConcernUpdater(
      DocumentStore documentStore,
      RecordReader reader,
      RecordLocks recordLocks,
      Retry retry,
      Clock clock) {
    this.documentStore = documentStore;
    this.reader = reader;
    this.recordLocks = recordLocks;
    this.retry = retry;
    MainDocumentUpdater change = new MainDocumentUpdater(documentStore, reader, clock);
    this.side = new SideConcernWriter(documentStore, reader, change, clock);
    this.main = new MainConcernWriter(reader, change, side);
  }

  Outcome change(Address address, ConcernChange concernChange) {
    Retry.Backoff backoff = retry.start();
    Attempt attempt =
        new Attempt(
            concernChange,
            new ExistenceCheck(reader, address),
            new EditWaitBudget(),
            documentStore.moment());
    Optional<Outcome> outcome =
        recordLocks.runLocked(
            address,
            () ->
                writer(attempt)
                    .attemptFromCache(attempt)
                    .or(() -> writer(attempt).attempt(attempt)),
            result -> wasOvertaken(concernChange, result));
    while (outcome.isEmpty()) {
      ContentionException.pauseOrGiveUp(backoff, address);
      outcome =
          recordLocks.runLocked(
              address,
              () -> writer(attempt).attempt(attempt),
              result -> wasOvertaken(concernChange, result));
    }
    return outcome.get();
  }

  /**
   * Returns whether the caller, now that it knows what is there, is about to come back. A caller
   * whose target other writers have passed won't.
   */
  private static boolean wasOvertaken(ConcernChange concernChange, Optional<Outcome> outcome) {
    return concernChange instanceof ConcernChange.Push
        && outcome.isPresent()
        && outcome.get() instanceof Refused;
  }

  /** Returns the writer for a concern, as far as is known where it lies. */
  private ConcernWriter writer(Attempt attempt) {
    DocumentLayout documentLayout =
        reader.cachedMain(attempt.address()).map(MainDocument::layout).orElse(reader.layout());
    return documentLayout.apart().contains(attempt.concern()) ? side : main;
  }
}
