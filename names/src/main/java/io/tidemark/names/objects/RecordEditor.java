// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ContentionException;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordEdit;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Editor of records as a whole; the protocol is explained at {@link ObjectNameBackend}. */
final class RecordEditor {

  private static final Logger LOG = LoggerFactory.getLogger(RecordEditor.class);

  /** Number of immediate attempts to write a contended document before a pause. */
  private static final int TRIES = 30;

  /**
   * Outcome of an attempt that no other writer disturbed.
   *
   * @param edited what was done; empty when there is no record
   */
  private record EditOutcome(Optional<EditResult> edited) {}

  private final DocumentStore documentStore;
  private final RecordReader reader;
  private final SideDocumentFences seals;
  private final InlineIndexMover inlineIndexMover;
  private final RecordLocks recordLocks;
  private final Retry retry;
  private final Supplier<String> ids;

  RecordEditor(
      DocumentStore documentStore,
      RecordReader reader,
      RecordLocks recordLocks,
      Retry retry,
      Supplier<String> ids) {
    this.documentStore = documentStore;
    this.reader = reader;
    this.seals = new SideDocumentFences(documentStore);
    this.inlineIndexMover = new InlineIndexMover(documentStore, reader);
    this.recordLocks = recordLocks;
    this.retry = retry;
    this.ids = ids;
  }

  Optional<EditResult> edit(Address address, RecordEdit decide) {
    EditWaitBudget editWaitBudget = new EditWaitBudget();
    Optional<EditOutcome> end =
        recordLocks.runLocked(address, () -> attempt(address, decide, editWaitBudget));
    return end.orElseGet(() -> retryWithFence(address, decide, editWaitBudget)).edited();
  }

  private EditOutcome retryWithFence(
      Address address, RecordEdit decide, EditWaitBudget editWaitBudget) {
    Retry.Backoff backoff = retry.start();
    Optional<EditOutcome> end = Optional.empty();
    while (end.isEmpty()) {
      end = recordLocks.runLocked(address, () -> attemptWithFence(address, decide, editWaitBudget));
      if (end.isEmpty()) {
        ContentionException.pauseOrGiveUp(backoff, address);
      }
    }
    return end.get();
  }

  /** Tries with the fewest requests; empty when another writer was faster. */
  private Optional<EditOutcome> attempt(
      Address address, RecordEdit decide, EditWaitBudget editWaitBudget) {
    Optional<LoadedRecord> found = reader.load(address, EnumSet.allOf(Concern.class));
    if (found.isEmpty()) {
      return Optional.of(new EditOutcome(Optional.empty()));
    }
    LoadedRecord is = found.get();
    NameRecord record = is.record();
    EditDecision editDecision = decide.decide(record);
    if (editDecision == EditDecision.Keep.KEEP) {
      return ended(record, editDecision);
    }
    if (hasPendingEdit(is)) {
      return Optional.empty();
    }
    if (!seals.areNeededFor(is, editDecision)) {
      return commitEdit(is, editDecision).flatMap(done -> ended(record, editDecision));
    }
    return seals
        .acquire(is, editWaitBudget.nextId(ids))
        .filter(still -> still.record().equals(record))
        .flatMap(still -> commitEdit(still, editDecision))
        .flatMap(done -> ended(record, editDecision));
  }

  /**
   * Tries against other processes that write all the time: announces the edit in the main document
   * first, so that they hold back, and decides when nothing moves any more.
   */
  private Optional<EditOutcome> attemptWithFence(
      Address address, RecordEdit decide, EditWaitBudget editWaitBudget) {
    String id = editWaitBudget.nextId(ids);
    Optional<LoadedRecord> found = reader.load(address, EnumSet.allOf(Concern.class));
    if (found.isEmpty()) {
      return Optional.of(new EditOutcome(Optional.empty()));
    }
    LoadedRecord is = found.get();
    if (hasPendingEdit(is) && editWaitBudget.hasBudgetFor(pendingEditId(is))) {
      return Optional.empty();
    }
    Optional<LoadedRecord> held =
        announce(is, id).flatMap(announced -> seals.acquire(announced, id));
    if (held.isEmpty()) {
      return Optional.empty();
    }
    NameRecord record = held.get().record();
    EditDecision editDecision = decideOrRelease(held.get(), decide);
    return commitEdit(held.get(), editDecision).flatMap(done -> ended(record, editDecision));
  }

  private EditDecision decideOrRelease(LoadedRecord held, RecordEdit decide) {
    boolean decided = false;
    try {
      EditDecision editDecision = decide.decide(held.record());
      decided = true;
      return editDecision;
    } finally {
      if (!decided) {
        release(held);
      }
    }
  }

  /** Releases the seals, so that other writers needn't wait until they take this edit for dead. */
  private void release(LoadedRecord held) {
    try {
      commitEdit(held, EditDecision.keep());
    } catch (TidemarkException e) {
      LOG.warn("{} is held up for a moment: {}", held.main().document().key(), e.getMessage());
    }
  }

  private static Optional<EditOutcome> ended(NameRecord before, EditDecision editDecision) {
    return Optional.of(new EditOutcome(Optional.of(EditResult.of(before, editDecision))));
  }

  /** Returns whether another edit is under way, or was left half done. */
  private static boolean hasPendingEdit(LoadedRecord is) {
    return is.main().announced().isPresent()
        || is.sides().values().stream().anyMatch(side -> side.isFencedByAnother(is.main()));
  }

  private static String pendingEditId(LoadedRecord is) {
    return is.main()
        .announced()
        .or(() -> is.sides().values().stream().flatMap(s -> s.fence().stream()).findFirst())
        .orElse("");
  }

  /**
   * Says in the main document that an edit is under way. Another that was, and has sealed some
   * documents, can't end after that.
   */
  private Optional<LoadedRecord> announce(LoadedRecord is, String id) {
    Address address = is.main().record().address();
    MainDocument main = is.main();
    for (int i = 0; i < TRIES; i++) {
      Optional<MainDocument> written = documentStore.write(main.announcing(id));
      if (written.isPresent()) {
        return written.map(now -> SideDocumentFences.reread(now, is.sides()));
      }
      Optional<MainDocument> other = reader.main(address);
      if (other.isEmpty()
          || !other.get().incarnation().equals(main.incarnation())
          || other.get().announced().isPresent()) {
        return Optional.empty();
      }
      main = other.get();
    }
    return Optional.empty();
  }

  /** Writes the main document, with which the edit takes place; empty when it has changed. */
  private Optional<Document> commitEdit(LoadedRecord held, EditDecision editDecision) {
    if (editDecision == EditDecision.Remove.REMOVE) {
      return remove(held);
    }
    NameRecord record = held.record();
    NameRecord next =
        editDecision instanceof EditDecision.Replace replace ? replace.next() : record;
    Optional<EditFence> seal = seals.fenceFor(held, next);
    if (seal.isEmpty()) {
      return inlineIndexMover.moveOutOf(held.main()).flatMap(main -> write(main, next));
    }
    Optional<Document> done = write(held.main().fencedBy(seal.get()), next);
    if (done.isPresent() && !next.meta().retracted()) {
      seals.writeBack(held, seal.get(), next);
    }
    return done;
  }

  /** The main document keeps what it said of concerns that have documents of their own. */
  private Optional<Document> write(MainDocument main, NameRecord next) {
    NameRecord inline = main.record();
    Set<Concern> apart = main.layout().apart();
    NameRecord record = next;
    for (Concern concern : apart) {
      record = record.with(concern, inline.concern(concern));
    }
    if (apart.contains(Concern.INDEX)) {
      record = record.withMeta(record.meta().withIndexRev(inline.meta().indexRev()));
    }
    return documentStore.write(main.next(record)).map(MainDocument::document);
  }

  private Optional<Document> remove(LoadedRecord held) {
    Optional<Document> tombstone =
        documentStore.write(held.main().document(), held.main().tombstone());
    tombstone.ifPresent(
        written -> {
          List<Document> leftovers = new ArrayList<>();
          held.sides().values().forEach(side -> leftovers.add(side.document()));
          leftovers.add(written);
          leftovers.forEach(this::sweep);
        });
    return tombstone;
  }

  /** The record is gone whether this works or not. */
  private void sweep(Document leftover) {
    try {
      documentStore.deleteIfPossible(leftover);
    } catch (TidemarkException e) {
      LOG.warn("can't delete {}, which is of no use any more: {}", leftover.key(), e.getMessage());
    }
  }
}
