// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Migration that moves records from a legacy key. The new document is written first, if there is
 * none, and the old ones are deleted then. A process that dies in between leaves both; the next run
 * finds the new one and only deletes the old ones.
 */
final class RecordRelocator {

  /**
   * Legacy documents that a record is moved from.
   *
   * @param form its form
   * @param documents what is to be deleted in the end, in that order; the last one gives the name
   */
  record Source(String form, List<Document> documents) {
    String key() {
      return documents.get(documents.size() - 1).key();
    }

    private MigrationEntry line(Address to, Outcome outcome, String note) {
      return new MigrationEntry(key(), form, Optional.of(to), outcome, note);
    }
  }

  private final MigrationContext scope;
  private final DocumentLayout documentLayout;
  private final Supplier<String> ids;
  private final InlineIndexMover inlineIndexMover;

  /**
   * Records that this run has moved, or would have: a second source of the same record finds it
   * here.
   */
  private final Set<Address> moved = ConcurrentHashMap.newKeySet();

  RecordRelocator(MigrationContext scope, DocumentLayout documentLayout, Supplier<String> ids) {
    this.scope = scope;
    this.documentLayout = documentLayout;
    this.ids = ids;
    this.inlineIndexMover = new InlineIndexMover(scope.documents(), scope.reader());
  }

  /**
   * Moves the records of one place.
   *
   * @param sources as they were read there, but with the addresses that they are to have
   */
  List<MigrationEntry> move(Source old, List<MainDocument> sources) {
    List<MigrationEntry> lines = new ArrayList<>();
    for (MainDocument source : sources) {
      Optional<Address> to = Optional.of(source.record().address());
      lines.addAll(
          MigrationContext.entriesOf(old.key(), old.form(), to, () -> List.of(move(old, source))));
    }
    boolean all = lines.stream().noneMatch(line -> line.outcome() == Outcome.FAILED);
    if (scope.applies() && all && !old.documents().stream().allMatch(this::delete)) {
      return sources.stream()
          .map(source -> source.record().address())
          .map(to -> old.line(to, Outcome.FAILED, "it was changed meanwhile; run this again"))
          .toList();
    }
    return lines;
  }

  private MigrationEntry move(Source old, MainDocument source) {
    Address address = source.record().address();
    Retry.Backoff backoff = scope.retry().start();
    while (true) {
      Optional<NameRecord> there =
          scope.reader().load(address, EnumSet.allOf(Concern.class)).map(LoadedRecord::record);
      if (there.isPresent() || moved.contains(address)) {
        return superseded(old, source, there);
      }
      if (!scope.applies() || create(source)) {
        moved.add(address);
        return old.line(address, Outcome.CONVERTED, "");
      }
      if (!backoff.pause()) {
        throw MigrationContext.contention(address);
      }
    }
  }

  /** An old document that is ahead of the record must come from a program that still writes it. */
  private static MigrationEntry superseded(
      Source old, MainDocument source, Optional<NameRecord> there) {
    Address address = source.record().address();
    // What a ledger's index lags behind is built again from its commits; of a source it is all.
    Concern concern =
        source.record().meta().kind() == RecordKind.LEDGER ? Concern.HEAD : Concern.INDEX;
    long before = source.concern(concern).watermark();
    long now = there.map(record -> record.concern(concern).watermark()).orElse(before);
    return before > now
        ? old.line(
            address,
            Outcome.FAILED,
            "its "
                + concern.text()
                + " is at t "
                + before
                + ", but that of the record is at t "
                + now
                + "; advance the record's "
                + concern.text()
                + ", or delete this one, and run this again")
        : old.line(address, Outcome.SUPERSEDED, "");
  }

  /** Writes the record where it belongs, with the keys that aren't known here; false if one is. */
  private boolean create(MainDocument source) {
    Address address = source.record().address();
    Document place = scope.reader().documentForNewRecord(address);
    if (MainDocument.read(address, documentLayout, place).isPresent()) {
      return false; // made since it was looked for
    }
    MainDocument first = MainDocument.first(place, source.record(), documentLayout, ids.get());
    Optional<MainDocument> written = scope.documents().write(first.withOthers(source.others()));
    // A faster writer moves the index out as well.
    written.filter(now -> DocumentForm.of(now).isPresent()).ifPresent(this::rewrite);
    return written.isPresent();
  }

  /** Writes a main document as it is written today; false when another writer was faster. */
  boolean rewrite(MainDocument main) {
    return inlineIndexMover
        .moveOutOf(main)
        .flatMap(next -> scope.documents().write(next.next(next.record())))
        .isPresent();
  }

  /**
   * Only the version that was converted is deleted, where the store can do that. Where it can't, a
   * plain delete must do: no program of today writes there any more.
   */
  private boolean delete(Document old) {
    if (!scope.store().capabilities().conditionalDelete()) {
      scope.store().delete(old.key());
      return true;
    }
    boolean deleted = scope.store().deleteIfMatch(old.key(), old.etag().orElseThrow()).deleted();
    return deleted || scope.store().head(old.key()).isEmpty(); // by another migration
  }
}
