// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Edit;
import io.tidemark.names.Edited;
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

/** Changes of a record as a whole; how they are made is explained at {@link ObjectNameBackend}. */
final class Editor {

  private static final Logger LOG = LoggerFactory.getLogger(Editor.class);

  /** How often to try at once to write a document that others write, before making a pause. */
  private static final int TRIES = 30;

  /**
   * The end of an attempt that nobody got in the way of.
   *
   * @param edited what was done; empty when there is no record
   */
  private record Ended(Optional<Edited> edited) {}

  private final Documents documents;
  private final RecordReader reader;
  private final SideSeals seals;
  private final InlineIndex inlineIndex;
  private final Turns turns;
  private final Retry retry;
  private final Supplier<String> ids;

  Editor(Documents documents, RecordReader reader, Turns turns, Retry retry, Supplier<String> ids) {
    this.documents = documents;
    this.reader = reader;
    this.seals = new SideSeals(documents);
    this.inlineIndex = new InlineIndex(documents, reader);
    this.turns = turns;
    this.retry = retry;
    this.ids = ids;
  }

  Optional<Edited> edit(Address address, RecordEdit decide) {
    Patience patience = new Patience();
    Optional<Ended> end = turns.take(address, () -> attempt(address, decide, patience));
    return end.orElseGet(() -> insistUntilEnded(address, decide, patience)).edited();
  }

  private Ended insistUntilEnded(Address address, RecordEdit decide, Patience patience) {
    Retry.Backoff backoff = retry.start();
    Optional<Ended> end = Optional.empty();
    while (end.isEmpty()) {
      end = turns.take(address, () -> insist(address, decide, patience));
      if (end.isEmpty()) {
        ContentionException.pauseOrGiveUp(backoff, address);
      }
    }
    return end.get();
  }

  /** Tries with the fewest requests; empty when somebody else was faster. */
  private Optional<Ended> attempt(Address address, RecordEdit decide, Patience patience) {
    Optional<Loaded> found = reader.load(address, EnumSet.allOf(Concern.class));
    if (found.isEmpty()) {
      return Optional.of(new Ended(Optional.empty()));
    }
    Loaded is = found.get();
    NameRecord record = is.record();
    Edit edit = decide.decide(record);
    if (edit == Edit.Keep.KEEP) {
      return ended(record, edit);
    }
    if (isDisputed(is)) {
      return Optional.empty();
    }
    if (!seals.concern(is, edit)) {
      return finish(is, edit).flatMap(done -> ended(record, edit));
    }
    return seals
        .take(is, patience.nextId(ids))
        .filter(still -> still.record().equals(record))
        .flatMap(still -> finish(still, edit))
        .flatMap(done -> ended(record, edit));
  }

  /**
   * Tries against others who write all the time: it tells them first, in the main document, so that
   * they hold back, and decides when nothing moves any more.
   */
  private Optional<Ended> insist(Address address, RecordEdit decide, Patience patience) {
    String id = patience.nextId(ids);
    Optional<Loaded> found = reader.load(address, EnumSet.allOf(Concern.class));
    if (found.isEmpty()) {
      return Optional.of(new Ended(Optional.empty()));
    }
    Loaded is = found.get();
    if (isDisputed(is) && patience.isLeftFor(dispute(is))) {
      return Optional.empty();
    }
    Optional<Loaded> held = announce(is, id).flatMap(announced -> seals.take(announced, id));
    if (held.isEmpty()) {
      return Optional.empty();
    }
    NameRecord record = held.get().record();
    Edit edit = decideOrRelease(held.get(), decide);
    return finish(held.get(), edit).flatMap(done -> ended(record, edit));
  }

  private Edit decideOrRelease(Loaded held, RecordEdit decide) {
    boolean decided = false;
    try {
      Edit edit = decide.decide(held.record());
      decided = true;
      return edit;
    } finally {
      if (!decided) {
        release(held);
      }
    }
  }

  /** Others needn't wait; they would find out after a while. */
  private void release(Loaded held) {
    try {
      finish(held, Edit.keep());
    } catch (TidemarkException e) {
      LOG.warn("{} is held up for a moment: {}", held.main().document().key(), e.getMessage());
    }
  }

  private static Optional<Ended> ended(NameRecord before, Edit edit) {
    return Optional.of(new Ended(Optional.of(Edited.of(before, edit))));
  }

  /** Whether another edit is under way, or was left half done. */
  private static boolean isDisputed(Loaded is) {
    return is.main().announced().isPresent()
        || is.sides().values().stream().anyMatch(side -> side.isSealedByAnother(is.main()));
  }

  private static String dispute(Loaded is) {
    return is.main()
        .announced()
        .or(() -> is.sides().values().stream().flatMap(s -> s.seal().stream()).findFirst())
        .orElse("");
  }

  /**
   * Says in the main document that an edit is under way. Another that was, and has sealed some
   * documents, can't end after that.
   */
  private Optional<Loaded> announce(Loaded is, String id) {
    Address address = is.main().record().address();
    MainDocument main = is.main();
    for (int i = 0; i < TRIES; i++) {
      Optional<MainDocument> written = documents.write(main.announcing(id));
      if (written.isPresent()) {
        return written.map(now -> SideSeals.reread(now, is.sides()));
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
  private Optional<Document> finish(Loaded held, Edit edit) {
    if (edit == Edit.Remove.REMOVE) {
      return remove(held);
    }
    NameRecord record = held.record();
    NameRecord next = edit instanceof Edit.Replace replace ? replace.next() : record;
    Optional<Seal> seal = seals.sealed(held, next);
    if (seal.isEmpty()) {
      return inlineIndex.moveOutOf(held.main()).flatMap(main -> write(main, next));
    }
    Optional<Document> done = write(held.main().sealed(seal.get()), next);
    if (done.isPresent() && !next.meta().retracted()) {
      seals.settle(held, seal.get(), next);
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
    return documents.write(main.next(record)).map(MainDocument::document);
  }

  private Optional<Document> remove(Loaded held) {
    Optional<Document> tombstone = documents.write(held.main().document(), held.main().tombstone());
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
      documents.deleteIfPossible(leftover);
    } catch (TidemarkException e) {
      LOG.warn("can't delete {}, which is of no use any more: {}", leftover.key(), e.getMessage());
    }
  }
}
