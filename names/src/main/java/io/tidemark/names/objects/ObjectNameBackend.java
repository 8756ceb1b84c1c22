// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Marker;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Survey;
import io.tidemark.names.objects.Documents.Document;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records as JSON documents in an object store, each document replaced only by
 * compare-and-set.
 *
 * <h2>How several documents stay one record</h2>
 *
 * <p>The <i>main</i> document says that there is a record and whether it is retracted; creating,
 * retracting, restoring and removing a record are each one write of it. A concern with a document
 * of its own (a <i>side</i> document) moves by writing that one alone. Such a move must not take
 * place once the record is retracted or removed, though it doesn't write the main document. So
 * whoever wants to retract, remove or reset a record
 *
 * <ol>
 *   <li>reads the main document,
 *   <li><i>seals</i> the side documents: writes them anew, with the states they have and an id of
 *       this change; where there is none, one is made,
 *   <li>replaces the main document, if it is still as it was read. It names the id, and the states
 *       of side documents that this change is to set: they hold from then on, because a side
 *       document that carries the id gives way to them.
 * </ol>
 *
 * <p>A mover reads the side document, then the main one, then writes the side document if it is as
 * it was read, without a seal. If it found none, nobody had sealed it before, so the main document
 * had not changed behind its back. If it found a seal that the main document names, that change is
 * over. If it found one that the main document doesn't name, the change is under way or its process
 * died: the mover first writes the main document as it is, under a new version, after which the
 * third step above fails. A process that dies anywhere leaves either the old record or the new one.
 *
 * <h2>Removing, and coming back</h2>
 *
 * <p>No store needs to delete conditionally. A record is removed by writing a main document that
 * counts as none; where the store can delete just that version, it is deleted then. Each record
 * carries an id of its own, its side documents carry the same, and side documents with another are
 * as good as absent: what was left over doesn't come back with a new record of that address.
 *
 * <p>Records keep the layout that they were created in. Processes that <i>create</i> records at the
 * same time must use layouts with the same main document: A and B, or C.
 */
public final class ObjectNameBackend implements NameBackend {

  private static final Logger LOG = LoggerFactory.getLogger(ObjectNameBackend.class);
  private static final int LOCKS = 1024;
  private static final int LONGEST_WAIT_SECONDS = 1;
  private static final int MOST_UNSEALED = 8192;

  private final ObjectStore store;
  private final Layout layout;
  private final Retry retry;
  private final Clock clock;
  private final Supplier<String> ids;
  private final Documents documents;
  private final Parallel parallel;
  private final RecordReader reader;

  /**
   * Side documents, by key, in versions that were written here: nobody had sealed them then, so as
   * long as they are still in that version the main document needn't be looked at.
   */
  private final Map<String, ETag> unsealed = new ConcurrentHashMap<>();

  /** Writers of the same process wait for each other here, which is cheaper than to lose races. */
  private final List<ReentrantLock> locks =
      IntStream.range(0, LOCKS).mapToObj(i -> new ReentrantLock(true)).toList();

  /**
   * Keeps records in the given store, which it closes in the end.
   *
   * @param layout what new records are made of
   * @param retry how long to go on when others are faster again and again
   * @param clock tells when a record was changed, for people to see
   */
  public ObjectNameBackend(ObjectStore store, Layout layout, Retry retry, Clock clock) {
    this(store, layout, retry, clock, () -> UUID.randomUUID().toString());
  }

  ObjectNameBackend(
      ObjectStore store, Layout layout, Retry retry, Clock clock, Supplier<String> ids) {
    this.store = store;
    this.layout = layout;
    this.retry = retry;
    this.clock = clock;
    this.ids = ids;
    this.documents = new Documents(store);
    this.parallel = new Parallel("names-reader");
    this.reader = new RecordReader(store, documents, layout, parallel);
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    return reader.load(address, EnumSet.allOf(Concern.class)).map(Loaded::record);
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return reader
        .load(address, EnumSet.of(concern))
        .map(Loaded::record)
        .filter(record -> Records.has(record, concern))
        .map(record -> record.concern(concern));
  }

  @Override
  public boolean create(NameRecord record) {
    Address address = record.address();
    if (reader.main(address, layout.other()).isPresent()) {
      return false;
    }
    Retry.Backoff backoff = retry.start();
    Document place = Document.absent(reader.key(address, layout.main()));
    while (true) {
      MainDocument main =
          new MainDocument(place, record, layout, Optional.of(ids.get()), 1, Optional.empty());
      if (documents.write(place, main.write()).isPresent()) {
        return true;
      }
      if (place.etag().isPresent()) {
        pauseOrGiveUp(backoff, address);
      }
      place = reader.place(address);
      if (MainDocument.read(address, layout, place).isPresent()) {
        return false;
      }
    }
  }

  @Override
  public Outcome change(Address address, Change change) {
    Retry.Backoff backoff = retry.start();
    Optional<Outcome> outcome = locked(address, () -> attemptFromMemory(address, change));
    while (outcome.isEmpty()) {
      outcome = locked(address, () -> attempt(address, change));
      if (outcome.isEmpty()) {
        pauseOrGiveUp(backoff, address);
      }
    }
    return outcome.get();
  }

  @Override
  public boolean replace(NameRecord seen, NameRecord next) {
    return locked(seen.address(), () -> asSeen(seen).map(is -> replace(is, next)).orElse(false));
  }

  @Override
  public boolean remove(NameRecord seen) {
    return locked(seen.address(), () -> asSeen(seen).map(this::remove).orElse(false));
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    return reader.list(prefix, startAfter);
  }

  @Override
  public Survey survey(String prefix, Optional<String> page) {
    return KeySurvey.page(store, prefix, page);
  }

  @Override
  public Marker marker() {
    return new ObjectMarker(store);
  }

  @Override
  public Stream<Migrated> migrate(MigrationMode mode) {
    return Stream.empty();
  }

  @Override
  public String location() {
    return store.capabilities().location();
  }

  @Override
  public void close() {
    parallel.close();
    store.close();
  }

  // Changes of one concern.

  /**
   * Tries to make a change of what is known without reading, which takes one request if nobody has
   * changed it since; empty when that didn't work out, which says nothing yet.
   */
  private Optional<Outcome> attemptFromMemory(Address address, Change change) {
    Optional<MainDocument> main = reader.knownMain(address);
    if (main.isEmpty()) {
      return Optional.empty();
    }
    if (!main.get().layout().apart().contains(change.concern())) {
      Loaded loaded = new Loaded(main.get(), Map.of());
      return judge(loaded, change).isPresent() ? Optional.empty() : writeMain(loaded, change);
    }
    String key = reader.key(address, RecordKey.Part.of(change.concern()));
    Optional<Document> side = documents.known(key);
    if (side.isEmpty()) {
      return Optional.empty();
    }
    boolean checked = side.get().etag().equals(Optional.ofNullable(unsealed.get(key)));
    Optional<MainDocument> judged = checked ? main : reader.main(address);
    return judged
        .map(m -> loaded(m, change.concern(), side.get()))
        // What is known of the main document may be older than the side document.
        .filter(loaded -> loaded.side(change.concern()).flatMap(SideDocument::json).isPresent())
        .filter(loaded -> judge(loaded, change).isEmpty())
        .flatMap(loaded -> writeSide(loaded, change));
  }

  /** Tries to make a change of what is there now; empty when somebody else was faster. */
  private Optional<Outcome> attempt(Address address, Change change) {
    boolean apart = layout.apart().contains(change.concern());
    // The side document comes first, see above.
    String key = reader.key(address, RecordKey.Part.of(change.concern()));
    Optional<Document> early = apart ? Optional.of(documents.read(key)) : Optional.empty();
    Optional<MainDocument> found = reader.main(address);
    if (found.isEmpty()) {
      return Optional.of(Missing.MISSING);
    }
    MainDocument main = found.get();
    if (!main.layout().apart().contains(change.concern())) {
      Loaded loaded = new Loaded(main, Map.of());
      return judge(loaded, change).or(() -> writeMain(loaded, change));
    }
    if (early.isEmpty()) {
      Document side = documents.read(key);
      return reader.main(address).flatMap(again -> judgeAndWrite(again, change, side));
    }
    return judgeAndWrite(main, change, early.get());
  }

  private Optional<Outcome> judgeAndWrite(MainDocument main, Change change, Document side) {
    Loaded loaded = loaded(main, change.concern(), side);
    boolean doubtful = loaded.side(change.concern()).orElseThrow().isDoubtfulFor(main);
    if (doubtful && !documents.read(side.key()).etag().equals(side.etag())) {
      return Optional.empty();
    }
    return judge(loaded, change).or(() -> writeSide(loaded, change));
  }

  private static Loaded loaded(MainDocument main, Concern concern, Document side) {
    return new Loaded(main, Map.of(concern, SideDocument.read(main, concern, side)));
  }

  /** Why a change can't be made; empty when it can. */
  private static Optional<Outcome> judge(Loaded loaded, Change change) {
    NameRecord record = loaded.record();
    if (!Records.has(record, change.concern())) {
      return Optional.of(Missing.MISSING);
    }
    if (record.meta().retracted()) {
      return Optional.of(Retracted.RETRACTED);
    }
    ConcernValue current = record.concern(change.concern());
    return change.allows(current) ? Optional.empty() : Optional.of(new Refused(current));
  }

  private Optional<Outcome> writeMain(Loaded loaded, Change change) {
    return withoutInlineIndex(loaded.main())
        .flatMap(
            main -> {
              NameRecord next = main.record().with(change.concern(), change.next(), clock.millis());
              return documents.write(main.document(), main.next(next).write());
            })
        .map(written -> new Applied(change.next()));
  }

  /**
   * The main document as it is to be written: an index that it holds though there is a document for
   * it, as other programs left it or as the record was born with it, is moved there first. From
   * then on that document has the newer index, so nothing changes for readers meanwhile.
   *
   * @return empty when somebody else was faster
   */
  private Optional<MainDocument> withoutInlineIndex(MainDocument main) {
    boolean inline = !main.record().index().isUnborn() || main.record().meta().indexRev() > 0;
    if (!main.layout().apart().contains(Concern.INDEX) || !inline) {
      return Optional.of(main);
    }
    String key = reader.key(main.record().address(), RecordKey.Part.INDEX);
    Loaded both = loaded(main, Concern.INDEX, documents.read(key));
    SideDocument side = both.side(Concern.INDEX).orElseThrow();
    boolean moved =
        side.holds(main)
            || documents
                .write(side.document(), side.write(main, both.record(), side.seal()))
                .isPresent();
    return moved ? Optional.of(main.withoutIndex()) : Optional.empty();
  }

  private Optional<Outcome> writeSide(Loaded loaded, Change change) {
    SideDocument side = loaded.side(change.concern()).orElseThrow();
    MainDocument main = loaded.main();
    if (side.isSealedByAnother(main) && touch(main).isEmpty()) {
      return Optional.empty();
    }
    NameRecord next = loaded.record().with(change.concern(), change.next(), clock.millis());
    Optional<Document> written =
        documents.write(side.document(), side.write(main, next, Optional.empty()));
    written.ifPresentOrElse(
        document -> rememberUnsealed(document), () -> unsealed.remove(side.document().key()));
    if (written.isPresent() && side.json().isEmpty()) {
      requireStillThere(main);
    }
    return written.map(document -> new Applied(change.next()));
  }

  private void rememberUnsealed(Document written) {
    if (unsealed.size() >= MOST_UNSEALED) {
      unsealed.clear();
    }
    unsealed.put(written.key(), written.etag().orElseThrow());
  }

  /** Makes a change of several documents fail that has sealed some and not ended. */
  private Optional<MainDocument> touch(MainDocument main) {
    return documents
        .write(main.document(), main.next(main.record()).write())
        .flatMap(now -> MainDocument.read(main.record().address(), main.layout(), now));
  }

  /**
   * A first side document may also have been written after its record was removed, sealed documents
   * and all.
   */
  private void requireStillThere(MainDocument main) {
    Address address = main.record().address();
    Optional<String> incarnation = reader.main(address).flatMap(MainDocument::incarnation);
    if (!incarnation.equals(main.incarnation())) {
      throw new OutcomeUnknownException(
          address
              + " was removed while it was being changed, perhaps before the change and perhaps"
              + " after; look whether it is there again before changing it");
    }
  }

  // Changes of several documents.

  /** The documents of a record, if they say what somebody saw. */
  private Optional<Loaded> asSeen(NameRecord seen) {
    return reader
        .load(seen.address(), EnumSet.allOf(Concern.class))
        .filter(loaded -> loaded.record().equals(seen));
  }

  private boolean replace(Loaded is, NameRecord next) {
    NameRecord seen = is.record();
    Map<Concern, ConcernValue> moved = new EnumMap<>(Concern.class);
    for (Concern concern : is.main().layout().apart()) {
      boolean published =
          concern == Concern.INDEX && seen.meta().indexRev() != next.meta().indexRev();
      if (published || !seen.concern(concern).equals(next.concern(concern))) {
        moved.put(concern, next.concern(concern));
      }
    }
    boolean retracts = next.meta().retracted() && !seen.meta().retracted() && !is.sides().isEmpty();
    if (moved.isEmpty() && !retracts) {
      return withoutInlineIndex(is.main()).map(main -> writeMain(is, next, main)).orElse(false);
    }
    Seal seal = new Seal(ids.get(), moved, next.meta().indexRev());
    return unchallenged(is)
        .filter(mine -> seal(mine, seal.id()).isPresent())
        .map(mine -> writeMain(mine, next, mine.main().sealed(seal)))
        .orElse(false);
  }

  /** The main document keeps what it said of concerns that have documents of their own. */
  private boolean writeMain(Loaded is, NameRecord next, MainDocument main) {
    NameRecord inline = main.record();
    Set<Concern> apart = main.layout().apart();
    NameRecord record =
        new NameRecord(
            next.address(),
            next.meta(),
            next.head(),
            apart.contains(Concern.INDEX) ? inline.index() : next.index(),
            apart.contains(Concern.STATUS) ? inline.status() : next.status(),
            apart.contains(Concern.CONFIG) ? inline.config() : next.config());
    if (apart.contains(Concern.INDEX)) {
      record = Records.withIndex(record, inline.index(), inline.meta().indexRev());
    }
    return documents.write(is.main().document(), main.next(record).write()).isPresent();
  }

  private boolean remove(Loaded seen) {
    return unchallenged(seen).map(this::removeUnchallenged).orElse(false);
  }

  /**
   * These documents, when no other change of several can end any more that has sealed some of them:
   * it would, after they are sealed anew, leave half of what it was to do. Empty when it has ended.
   */
  private Optional<Loaded> unchallenged(Loaded is) {
    boolean challenged =
        is.sides().values().stream().anyMatch(side -> side.isSealedByAnother(is.main()));
    return challenged
        ? touch(is.main()).map(main -> new Loaded(main, is.sides()))
        : Optional.of(is);
  }

  private boolean removeUnchallenged(Loaded is) {
    Optional<List<Document>> sealed = seal(is, ids.get());
    if (sealed.isEmpty()) {
      return false;
    }
    Optional<Document> tombstone = documents.write(is.main().document(), is.main().tombstone());
    if (tombstone.isEmpty()) {
      return false;
    }
    List<Document> leftovers = new ArrayList<>(sealed.get());
    leftovers.add(tombstone.get());
    leftovers.forEach(this::sweep);
    return true;
  }

  /** The record is gone whether this works or not. */
  private void sweep(Document leftover) {
    try {
      documents.deleteIfPossible(leftover);
    } catch (TidemarkException e) {
      LOG.warn("can't delete {}, which is of no use any more: {}", leftover.key(), e.getMessage());
    }
  }

  /** Seals the side documents; empty when one of them has changed. */
  private Optional<List<Document>> seal(Loaded is, String id) {
    List<Document> sealed = new ArrayList<>();
    for (SideDocument side : is.sides().values()) {
      Optional<Document> written =
          documents.write(side.document(), side.write(is.main(), is.record(), Optional.of(id)));
      unsealed.remove(side.document().key());
      if (written.isEmpty()) {
        return Optional.empty();
      }
      sealed.add(written.get());
    }
    return Optional.of(sealed);
  }

  /**
   * Runs an action while no other thread changes the record. Nothing depends on it but speed, so
   * after a while (the store may be slow to answer somebody) it is run all the same.
   */
  private <T> T locked(Address address, Supplier<T> action) {
    ReentrantLock lock = locks.get(Math.floorMod(address.hashCode(), LOCKS));
    boolean held = false;
    try {
      held = lock.tryLock(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      return action.get();
    } finally {
      if (held) {
        lock.unlock();
      }
    }
  }

  private static void pauseOrGiveUp(Retry.Backoff backoff, Address address) {
    if (!backoff.pause()) {
      throw new ContentionException(
          address + " is being changed by others all the time; try again later");
    }
  }
}
