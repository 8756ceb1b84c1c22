// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.EditResult;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.VersionPage;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Backend that keeps records as JSON documents in an object store, each document replaced only by
 * compare-and-set.
 *
 * <h2>How several documents stay one record</h2>
 *
 * <p>The <i>main</i> document says that there is a record and whether it is retracted; creating,
 * retracting, restoring and removing a record are each one write of it. A concern with a document
 * of its own (a <i>side</i> document) moves by writing that one alone. Such a move must not take
 * place once the record is retracted or removed, though it doesn't write the main document. So a
 * writer that wants to retract, remove or reset a record
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
 * <p>A writer that moves such a concern reads the side document, then the main one, then writes the
 * side document if it is as it was read, without a seal. If it found none, no writer had sealed it
 * before, so the main document had not changed behind its back. If it found a seal that the main
 * document names, that change is over. If it found one that the main document doesn't name, the
 * change is under way or its process died: the writer first writes the main document as it is,
 * under a new version, after which the third step above fails. A process that dies anywhere leaves
 * either the old record or the new one. And a side document without a seal says by itself that its
 * record is there and can be changed, so a writer that finds one needn't read the main document at
 * all. {@link SideConcernWriter} describes the one exception.
 *
 * <h2>How an edit comes to its end</h2>
 *
 * <p>Against writers that never pause, an edit of several documents would hardly ever find all of
 * them as it left them. Threads of the same process take {@linkplain RecordLocks turns}. Other
 * processes hold back: a writer that meets a seal that isn't named gives its owner some time before
 * it challenges the seal ({@link EditWaitBudget}). And an edit that has failed once first announces
 * itself in the main document, which writers of that document respect in the same way; then it
 * seals, and decides when nothing moves any more. All this is courtesy: nothing but speed depends
 * on it.
 *
 * <h2>Removing, and coming back</h2>
 *
 * <p>No store needs to delete conditionally. A record is removed by writing a main document that
 * counts as none; where the store can delete just that version, it is deleted then. Each record
 * carries an id of its own, its side documents carry the same, and side documents with another are
 * as good as absent: what was left over doesn't come back with a new record of that address. One
 * without any mark of this class was written by another program, which drops them, and counts.
 *
 * <p>Records keep the layout that they were created in. Processes that <i>create</i> records at the
 * same time must use layouts with the same main document: A and B, or C.
 */
public final class ObjectNameBackend implements NameBackend, NameStore {

  private final ObjectStore store;
  private final DocumentLayout documentLayout;
  private final Retry retry;
  private final Supplier<String> ids;
  private final DocumentStore documentStore;
  private final RecordReader reader;

  private final ConcernUpdater concernUpdater;
  private final RecordEditor recordEditor;

  /**
   * Keeps records in the given store, which it closes in the end.
   *
   * @param documentLayout the layout of new records
   * @param retry how long to retry while other writers win the race
   * @param clock tells when a record was changed, for people to see
   */
  public ObjectNameBackend(
      ObjectStore store, DocumentLayout documentLayout, Retry retry, Clock clock) {
    this(store, documentLayout, retry, clock, () -> UUID.randomUUID().toString());
  }

  ObjectNameBackend(
      ObjectStore store,
      DocumentLayout documentLayout,
      Retry retry,
      Clock clock,
      Supplier<String> ids) {
    this.store = store;
    this.documentLayout = documentLayout;
    this.retry = retry;
    this.ids = ids;
    this.documentStore = new DocumentStore(store);
    this.reader = new RecordReader(store, documentStore, documentLayout);
    RecordLocks recordLocks = new RecordLocks();
    this.concernUpdater = new ConcernUpdater(documentStore, reader, recordLocks, retry, clock);
    this.recordEditor = new RecordEditor(documentStore, reader, recordLocks, retry, ids);
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    return reader.load(address, EnumSet.allOf(Concern.class)).map(LoadedRecord::record);
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return reader
        .load(address, EnumSet.of(concern))
        .map(LoadedRecord::record)
        .filter(record -> record.has(concern))
        .map(record -> record.concern(concern));
  }

  @Override
  public boolean create(NameRecord record) {
    Address address = record.address();
    if (reader.main(address, documentLayout.other()).isPresent()) {
      return false;
    }
    Retry.Backoff backoff = retry.start();
    Document place = Document.absent(reader.key(address, documentLayout.main()));
    while (true) {
      MainDocument main = MainDocument.first(place, record, documentLayout, ids.get());
      if (documentStore.write(main).isPresent()) {
        return true;
      }
      if (place.etag().isPresent()) {
        ContentionException.pauseOrGiveUp(backoff, address);
      }
      place = reader.documentForNewRecord(address);
      if (MainDocument.read(address, documentLayout, place).isPresent()) {
        return false;
      }
    }
  }

  @Override
  public Outcome change(Address address, ConcernChange concernChange) {
    return concernUpdater.change(address, concernChange);
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
    return recordEditor.edit(address, edit);
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    return reader.list(prefix, startAfter);
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    return list(source.name() + ":", "").filter(record -> record.isBranchOf(source));
  }

  @Override
  public VersionPage listVersions(String prefix, Optional<String> page) {
    return KeyVersionScanner.page(store, prefix, page);
  }

  @Override
  public ChangeMarker marker() {
    return new ObjectChangeMarker(store);
  }

  @Override
  public Stream<MigrationEntry> migrate(MigrationMode mode) {
    MigrationContext scope = new MigrationContext(store, documentStore, reader, retry, mode);
    RecordRelocator recordRelocator = new RecordRelocator(scope, documentLayout, ids);
    LegacyLocationMigration legacyLocationMigration =
        new LegacyLocationMigration(
            scope,
            recordRelocator,
            LegacyDocuments.forms("a migration reads older forms").locations());
    return new ObjectMigration(
            new InPlaceMigration(scope, recordRelocator), legacyLocationMigration)
        .run();
  }

  @Override
  public Optional<ObjectStore> objects() {
    return Optional.of(store);
  }

  @Override
  public String location() {
    return store.capabilities().location();
  }

  @Override
  public void close() {
    store.close();
  }
}
