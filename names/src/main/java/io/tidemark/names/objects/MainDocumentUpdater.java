// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameRecord;
import java.time.Clock;
import java.util.Optional;

/** Change of a main document: judged by its content, and made by replacing that version. */
final class MainDocumentUpdater {

  private final DocumentStore documentStore;
  private final Clock clock;
  private final InlineIndexMover inlineIndexMover;

  MainDocumentUpdater(DocumentStore documentStore, RecordReader reader, Clock clock) {
    this.documentStore = documentStore;
    this.clock = clock;
    this.inlineIndexMover = new InlineIndexMover(documentStore, reader);
  }

  /** Makes a change of a main document that was just read, if it is allowed. */
  Optional<Outcome> make(MainDocument main, ConcernChange concernChange) {
    return judge(main.record(), concernChange).or(() -> write(main, concernChange));
  }

  /** Why a change can't be made; empty when it can. */
  static Optional<Outcome> judge(NameRecord record, ConcernChange concernChange) {
    if (!record.has(concernChange.concern())) {
      return Optional.of(Missing.MISSING);
    }
    if (record.meta().retracted()) {
      return Optional.of(Retracted.RETRACTED);
    }
    ConcernValue current = record.concern(concernChange.concern());
    return concernChange.allows(current) ? Optional.empty() : Optional.of(new Refused(current));
  }

  Optional<Outcome> write(MainDocument found, ConcernChange concernChange) {
    return inlineIndexMover
        .moveOutOf(found)
        .flatMap(
            main -> {
              NameRecord next =
                  main.record().with(concernChange.concern(), concernChange.next(), clock.millis());
              return documentStore.write(main.next(next));
            })
        .map(written -> new Applied(concernChange.next()));
  }
}
