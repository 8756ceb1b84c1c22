// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import java.util.Optional;

/** Writer of concerns in the main document: one document, replaced by compare-and-set. */
final class MainConcernWriter implements ConcernWriter {

  private final RecordReader reader;
  private final MainDocumentUpdater change;
  private final ConcernWriter elsewhere;

  /**
   * Changes concerns in main documents.
   *
   * @param elsewhere for records that turn out to have another document for a concern
   */
  MainConcernWriter(RecordReader reader, MainDocumentUpdater change, ConcernWriter elsewhere) {
    this.reader = reader;
    this.change = change;
    this.elsewhere = elsewhere;
  }

  @Override
  public Optional<Outcome> attemptFromCache(Attempt attempt) {
    return reader.cachedMain(attempt.address()).flatMap(main -> fromMemory(main, attempt));
  }

  private Optional<Outcome> fromMemory(MainDocument main, Attempt attempt) {
    Optional<Outcome> refusal = MainDocumentUpdater.judge(main.record(), attempt.change());
    if (refusal.isPresent()) {
      return refusal.filter(outcome -> main.document().wasThereAfter(attempt.began()));
    }
    return main.announced().isPresent() ? Optional.empty() : change.write(main, attempt.change());
  }

  @Override
  public Optional<Outcome> attempt(Attempt attempt) {
    Optional<MainDocument> found = reader.main(attempt.address());
    if (found.isEmpty()) {
      return Optional.of(Missing.MISSING);
    }
    MainDocument main = found.get();
    if (main.layout().apart().contains(attempt.concern())) {
      return elsewhere.attempt(attempt);
    }
    Optional<Outcome> refusal = MainDocumentUpdater.judge(main.record(), attempt.change());
    boolean waits =
        refusal.isEmpty() && main.announced().filter(attempt.patience()::hasBudgetFor).isPresent();
    return waits ? Optional.empty() : refusal.or(() -> change.write(main, attempt.change()));
  }
}
