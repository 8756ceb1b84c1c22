// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Change;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameRecord;
import java.time.Clock;
import java.util.Optional;

/** One change of a main document: judged by what it says, and made by replacing that version. */
final class MainChange {

  private final Documents documents;
  private final Clock clock;
  private final InlineIndex inlineIndex;

  MainChange(Documents documents, RecordReader reader, Clock clock) {
    this.documents = documents;
    this.clock = clock;
    this.inlineIndex = new InlineIndex(documents, reader);
  }

  /** Makes a change of a main document that was just read, if it is allowed. */
  Optional<Outcome> make(MainDocument main, Change change) {
    return judge(main.record(), change).or(() -> write(main, change));
  }

  /** Why a change can't be made; empty when it can. */
  static Optional<Outcome> judge(NameRecord record, Change change) {
    if (!record.has(change.concern())) {
      return Optional.of(Missing.MISSING);
    }
    if (record.meta().retracted()) {
      return Optional.of(Retracted.RETRACTED);
    }
    ConcernValue current = record.concern(change.concern());
    return change.allows(current) ? Optional.empty() : Optional.of(new Refused(current));
  }

  Optional<Outcome> write(MainDocument found, Change change) {
    return inlineIndex
        .moveOutOf(found)
        .flatMap(
            main -> {
              NameRecord next = main.record().with(change.concern(), change.next(), clock.millis());
              return documents.write(main.next(next));
            })
        .map(written -> new Applied(change.next()));
  }
}
