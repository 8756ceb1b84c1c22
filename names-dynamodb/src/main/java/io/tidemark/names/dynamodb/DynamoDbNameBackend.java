// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameRequestObserver;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.RecordKind;
import io.tidemark.names.VersionPage;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Backend that keeps records in a table of DynamoDB.
 *
 * <p><b>Items.</b> A record has an item for each concern and one, {@code meta}, for the rest, all
 * under its address as partition key; five for a ledger, four for a graph source. DynamoDB
 * serializes writes an item, so concerns don't wait for each other. They are created in one
 * transaction, so an item is there if and only if its record is. Should one get lost all the same,
 * its concern is as it was at first, and the next change brings the item back.
 *
 * <p><b>Changes</b> of one concern are one conditional {@code UpdateItem}; when it is refused the
 * answer holds the item, so a conflict needs no second request. See {@link ConcernItemUpdater}.
 *
 * <p><b>Retraction</b> is a change of the whole record, and puts a mark on each of its items, so
 * that the condition on one item is enough to keep changes off a retracted record. A program that
 * sets {@code retracted} on {@code meta} alone isn't heard by changes under way; it is by reads.
 * Changes wait for an edit of the whole record that they have overtaken; see {@link
 * EditReservation}.
 *
 * <p><b>Reads</b> are consistent. A record is read by one query, which isn't one moment: a
 * transaction of another may show in one item and not yet in the next. {@link #edit} checks every
 * item again when it writes.
 *
 * <p><b>Requests</b>: find 1 (a page holds 1 MB), get 1 (2 when there is no item), change 1 (2 when
 * the item has an older form or the expected payload another spelling), create 1, edit 2 (to remove
 * a branch 3, to take it out of its source's children), list 2 and 1 for each 20 records.
 *
 * <p><b>An older table</b>, in which a record was one item, can stand behind this one; see {@link
 * LegacyRecords}. It is asked for what isn't here, and costs nothing for what is, except in
 * listings and in changes of a whole record.
 *
 * <p>A payload may have up to about 400 KB, the size of an item.
 */
public final class DynamoDbNameBackend implements NameBackend, NameStore {

  private final DynamoDbSettings settings;
  private final DynamoDbClient client;
  private final ObserverInterceptor observerInterceptor;
  private final RequestSender requestSender;
  private final ItemCodec itemCodec;
  private final ConcernItemUpdater concernItemUpdater;
  private final RecordTransactions recordTransactions;
  private final WriteIdCache states = new WriteIdCache();
  private final RecordReadWriteLocks recordReadWriteLocks = new RecordReadWriteLocks();
  private final Optional<LegacyRecords> older;

  /**
   * Object store beside the names; null until the first caller asks for it, and when there is none.
   */
  private @Nullable ObjectStore objects;

  /** Opens a table; no request is sent yet, unless a missing table is to be created. */
  public DynamoDbNameBackend(DynamoDbSettings settings) {
    this(settings, new ObserverInterceptor(settings));
    if (settings.missingTable() == MissingTablePolicy.CREATED) {
      ensureTableOrClose();
    }
  }

  private DynamoDbNameBackend(DynamoDbSettings settings, ObserverInterceptor observerInterceptor) {
    this(
        settings,
        DynamoDbClients.observed(settings, observerInterceptor),
        observerInterceptor,
        Retry.standard(),
        Clock.systemUTC());
  }

  /**
   * Opens a table.
   *
   * @param client to send requests with; closed with this backend
   * @param retry how long to try
   * @param clock tells when something was changed, for people to see
   */
  DynamoDbNameBackend(DynamoDbSettings settings, DynamoDbClient client, Retry retry, Clock clock) {
    this(settings, client, new ObserverInterceptor(settings), retry, clock);
  }

  private DynamoDbNameBackend(
      DynamoDbSettings settings,
      DynamoDbClient client,
      ObserverInterceptor observerInterceptor,
      Retry retry,
      Clock clock) {
    this.settings = settings;
    this.client = client;
    this.observerInterceptor = observerInterceptor;
    this.requestSender = new RequestSender(client, settings, TableRole.READ_AND_WRITTEN, retry);
    this.itemCodec = new ItemCodec(settings.table(), settings.dialect());
    this.concernItemUpdater = new ConcernItemUpdater(requestSender, itemCodec, states, clock);
    this.recordTransactions = new RecordTransactions(requestSender, itemCodec);
    this.older =
        settings
            .older()
            .map(place -> new RequestSender(client, place, TableRole.MIGRATED_FROM, retry))
            .map(LegacyTable::new)
            .map(table -> new LegacyRecords(table, requestSender, recordTransactions, clock));
  }

  /**
   * Creates the table if there is none, and waits until it can be used.
   *
   * @throws io.tidemark.objects.UnsupportedStoreException when there is one with other keys, or
   *     without the index
   */
  public void ensureTable() {
    Retry untilActive =
        new Retry(
            Duration.ofSeconds(60),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            MonotonicTime.system());
    new TableSetup(requestSender.with(TableRole.SET_UP), untilActive).ensure();
  }

  /**
   * Ensures that the table exists, and closes this backend on failure: the caller gets no backend
   * to close.
   */
  private void ensureTableOrClose() {
    try {
      ensureTable();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    String pk = address.toString();
    Map<String, Map<String, AttributeValue>> found = requestSender.items(pk);
    return itemCodec
        .record(pk, found)
        .or(() -> older.flatMap(records -> records.find(address, found)));
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    ConcernAttributes concernAttributes = ConcernAttributes.of(concern);
    Map<String, AttributeValue> item =
        requestSender.item(address.toString(), concernAttributes.sk());
    if (item.isEmpty() || itemCodec.needsKind(address.toString(), concernAttributes, item)) {
      return find(address)
          .filter(record -> has(record, concern))
          .map(record -> record.concern(concern));
    }
    ConcernValue state =
        itemCodec.value(address.toString(), concernAttributes, item, RecordKind.LEDGER);
    String writer = RequestSender.string(item, AttributeNames.WRITE_ID);
    states.recordRead(
        address.toString(),
        concernAttributes,
        item,
        new WriteIdCache.CachedState(state, writer, WriteIdCache.LONG_AGO));
    return Optional.of(state);
  }

  @Override
  public boolean create(NameRecord record) {
    boolean inOlder = older.isPresent() && find(record.address()).isPresent();
    return !inOlder && recordTransactions.create(record);
  }

  @Override
  public Outcome change(Address address, ConcernChange concernChange) {
    Outcome outcome = make(address, concernChange);
    boolean brought =
        outcome == Missing.MISSING && older.filter(records -> records.migrate(address)).isPresent();
    return brought ? make(address, concernChange) : outcome;
  }

  private Outcome make(Address address, ConcernChange concernChange) {
    if (!(concernChange instanceof ConcernChange.Push)
        || !WriteIdCache.isCached(ConcernAttributes.of(concernChange.concern()))) {
      return recordReadWriteLocks.runShared(
          address, () -> concernItemUpdater.apply(address, concernChange));
    }
    long began = states.moment();
    return recordReadWriteLocks.runSerially(
        address,
        () ->
            refusal(address, concernChange, began)
                .orElseGet(() -> concernItemUpdater.apply(address, concernChange)),
        outcome -> outcome instanceof Refused);
  }

  /**
   * Why a change can't be made, if that is known without asking: because of a state that was there
   * after the call began, as it was when another thread has just written it.
   */
  private Optional<Outcome> refusal(Address address, ConcernChange concernChange, long began) {
    return states
        .stateSeenAfter(began, address.toString(), ConcernAttributes.of(concernChange.concern()))
        .filter(state -> !concernChange.allows(state))
        .map(Refused::new);
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
    older.ifPresent(records -> records.migrate(address));
    EditReservation reservation = new EditReservation(requestSender, address.toString());
    Optional<EditResult> edited =
        recordReadWriteLocks.runExclusively(
            address,
            () ->
                recordTransactions.edit(
                    address, seen -> hidingLegacy(address, edit.decide(seen)), reservation));
    if (edited.isPresent() && edited.get().after().isEmpty()) {
      new CommitRows(requestSender).sweep(address.toString());
    }
    return edited;
  }

  /** Hides a record that an edit removes, so that it isn't found in the older table after that. */
  private EditDecision hidingLegacy(Address address, EditDecision editDecision) {
    if (editDecision == EditDecision.remove()) {
      older.ifPresent(records -> records.hide(address));
    }
    return editDecision;
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    return new RecordLister(requestSender, itemCodec, older).list(prefix, startAfter);
  }

  /**
   * A listing may lag behind, but a branch is written down with its source in the transaction that
   * creates it. Branches that another program has made are in the listing only.
   */
  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    Stream<Address> written =
        RecordTransactions.childrenIn(requestSender.item(source.toString(), AttributeNames.META))
            .stream()
            .map(source::onBranch);
    Map<Address, NameRecord> found = new TreeMap<>();
    try (Stream<NameRecord> listed = list(source.name() + ":", "")) {
      listed.forEach(record -> found.put(record.address(), record));
    }
    written
        .filter(address -> !found.containsKey(address))
        .forEach(address -> find(address).ifPresent(record -> found.put(address, record)));
    return found.values().stream().filter(record -> record.isBranchOf(source));
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public VersionPage listVersions(String prefix, Optional<String> page) {
    return ItemVersionScanner.page(requestSender, prefix, page);
  }

  @Override
  public ChangeMarker marker() {
    return new ItemChangeMarker(requestSender);
  }

  @Override
  public Stream<MigrationEntry> migrate(MigrationMode mode) {
    return new TableMigration(requestSender, itemCodec, older).run(mode);
  }

  @Override
  public synchronized Optional<ObjectStore> objects() {
    if (objects == null && settings.objects().isPresent()) {
      objects = ObjectStore.open(settings.objects().get());
    }
    return Optional.ofNullable(objects);
  }

  @Override
  public String location() {
    return settings.location();
  }

  @Override
  public Runnable observe(NameRequestObserver observer) {
    return observerInterceptor.add(observer);
  }

  @Override
  public synchronized void close() {
    client.close();
    if (objects != null) {
      objects.close();
    }
  }

  /** Only ledgers have a head. */
  static boolean has(NameRecord record, Concern concern) {
    return concern != Concern.HEAD || record.meta().kind() == RecordKind.LEDGER;
  }
}
