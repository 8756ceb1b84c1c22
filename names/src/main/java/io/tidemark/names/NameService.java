// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The nameservice: records of ledgers and graph sources, each with four concerns that move
 * independently and only by compare-and-set.
 *
 * <p>This is the generic core. {@link #ledgers()}, {@link #branches()} and {@link #graphSources()}
 * are operations with names of their own on top of it.
 *
 * <p>Three answers are never confused: <i>absent</i> (no such record: an empty result),
 * <i>unborn</i> (a record whose concern has no payload yet) and <i>born</i>. A conflict is a
 * result; exceptions say that the call can't be meant: {@link NotFoundException}, {@link
 * RetractedException}, {@link AlreadyExistsException}, {@link InvalidPayloadException}.
 *
 * <p>A record that isn't there is an empty result of a look-up. A compare-and-set tells it as the
 * actual state, which the caller has expected to be another. {@link #purge} leaves things as they
 * are to be. Every other operation needs the record and throws {@link NotFoundException}.
 */
public final class NameService implements AutoCloseable {

  /** How far a counter may be pushed, so that there is always room to count on from. */
  private static final long HIGHEST_COUNT = Long.MAX_VALUE / 2;

  private final NameBackend backend;
  private final Retry retry;
  private final Clock clock;
  private final int payloadLimit;
  private final Optional<ObjectStore> beside;
  private final Optional<ChangeNotifier> announcer;
  private final EditRules edits = new EditRules(this);
  private final List<Consumer<Address>> listeners = new CopyOnWriteArrayList<>();
  private final List<PushObserver> observers = new CopyOnWriteArrayList<>();

  public NameService(NameBackend backend) {
    this(backend, NameOptions.standard());
  }

  public NameService(NameBackend backend, NameOptions options) {
    this.backend = new NotifyingBackend(backend, this::moved);
    this.retry = options.retry();
    this.clock = options.clock();
    this.payloadLimit = options.payloadLimit();
    this.beside = options.objects();
    this.announcer = options.announceEvery().flatMap(this::announcer);
  }

  /** Returns a notifier for other processes; empty where the store updates the marker by itself. */
  private Optional<ChangeNotifier> announcer(Duration pause) {
    return Optional.of(backend.store().marker())
        .filter(changeMarker -> !changeMarker.isSelfUpdating())
        .map(changeMarker -> new ChangeNotifier(changeMarker, retry, pause));
  }

  /**
   * Opens a nameservice.
   *
   * @param location a path, {@code file:///dir}, {@code s3://bucket/prefix}, {@code memory:}, what
   *     another room on the class path knows, or a connection document: the path of a file that
   *     ends in {@code .json} or {@code .jsonld}, see {@link
   *     io.tidemark.names.config.ConnectionConfig}
   */
  public static NameService open(String location) {
    return new NameService(NameLocations.open(location));
  }

  /** Operations on ledgers. */
  public Ledgers ledgers() {
    return new Ledgers(this);
  }

  /** Operations on branches. */
  public Branches branches() {
    return new Branches(this);
  }

  /** Operations on graph sources. */
  public GraphSources graphSources() {
    return new GraphSources(this);
  }

  /** Returns the whole record, retracted or not; empty when there is none. */
  public Optional<NameRecord> find(Address address) {
    return backend.find(address);
  }

  /** Returns one concern; empty when there is no such record, or it has no such concern. */
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return backend.get(address, concern);
  }

  /**
   * Returns the records that match, in the order of their addresses; the caller closes the stream.
   */
  public Stream<NameRecord> list(RecordFilter filter) {
    return backend
        .list(filter.prefix(), filter.startAfter())
        .filter(filter::matches)
        .limit(filter.limit());
  }

  /** Creates a ledger without commits. */
  public NameRecord create(Address address) {
    return create(NameRecord.newLedger(address, clock.millis()));
  }

  /**
   * Compare-and-set.
   *
   * @param expected the state the caller knows; empty says that there is no such record, and then
   *     creates the ledger if the concern is its head or index
   * @param next the state to move to, forward: its watermark must be greater (for an index at least
   *     as great)
   */
  public PushResult push(
      Address address, Concern concern, Optional<ConcernValue> expected, ConcernValue next) {
    check(address, concern, expected, next);
    return observed(concern, () -> moved(address, concern, expected, next));
  }

  private PushResult moved(
      Address address, Concern concern, Optional<ConcernValue> expected, ConcernValue next) {
    if (expected.isEmpty()) {
      return pushToAbsent(address, concern, next);
    }
    Outcome outcome =
        backend.change(address, new ConcernChange.Push(concern, expected.get(), next));
    return outcome == NameBackend.Missing.MISSING
        ? new PushResult.Conflict(Optional.empty())
        : result(address, outcome);
  }

  /** Moves a head or an index forward from wherever it is; a conflict says that it is there. */
  public PushResult advance(Address address, Concern concern, ConcernValue next) {
    if (concern != Concern.HEAD && concern != Concern.INDEX) {
      throw new InvalidPayloadException(
          "the " + concern.text() + " of " + address + " can't be advanced, only pushed");
    }
    return advance(address, new ConcernChange.Advance(concern, next, ConcernChange.Bound.NEWER));
  }

  /**
   * Takes a record back: it stays readable, but can't be changed. Doing it again changes nothing.
   */
  public NameRecord retract(Address address) {
    return editExisting(address, new EditRequest.Retract(nowMs(), EditRequest.Purpose.TAKE_BACK));
  }

  /**
   * Undoes {@link #retract}: the record is as it was, its heads and its status included, but
   * without the locks that were held on it. The status counts on.
   */
  public NameRecord restore(Address address) {
    return editExisting(address, new EditRequest.Restore(nowMs()));
  }

  /**
   * Removes a record so that its name is free again. Doing it again changes nothing.
   *
   * @return whether there was one
   * @throws RefusedException when branches were made from it that still exist
   */
  public boolean purge(Address address) {
    Optional<EditResult> edited = edit(address, new EditRequest.Purge());
    edited.map(EditResult::before).ifPresent(branches()::recountParent);
    return edited.isPresent();
  }

  /**
   * Carries out an edit of a whole record.
   *
   * @return what was done; empty when there is no such record
   * @throws InvalidPayloadException when the edit has a state that a concern can't take
   * @throws ContentionException when other writers won every race until the retry time was used up
   */
  public Optional<EditResult> edit(Address address, EditRequest request) {
    return backend.edit(address, edits.of(address, request));
  }

  /**
   * Converts what lies here in older forms, as the stream is read; the caller closes it.
   *
   * @see NameStore#migrate
   */
  public Stream<MigrationEntry> migrate(MigrationMode mode) {
    Stream<MigrationEntry> report = backend.store().migrate(mode);
    return mode == MigrationMode.DRY_RUN
        ? report
        : report.peek(
            line -> {
              if (line.outcome() == MigrationEntry.Outcome.CONVERTED) {
                line.to().ifPresent(this::moved);
              }
            });
  }

  /**
   * Returns the backend, for callers that carry out what the services of other processes have
   * decided. Changes through it are announced to listeners and other processes as usual; the rules
   * of this service aren't applied.
   */
  public NameBackend backend() {
    return backend;
  }

  // What a feed of changes is made of, see the package watch.

  /**
   * Adds a listener that is told the address of every record that this service has changed, or may
   * have changed, as soon as it did. The listener must be quick and not fail.
   *
   * @return a handle that stops the notifications when it is run
   */
  public Runnable listen(Consumer<Address> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Adds an observer that is told how every push through this service ended, for metrics.
   *
   * @return a handle that stops the notifications when it is run
   */
  public Runnable observe(PushObserver observer) {
    observers.add(observer);
    return () -> observers.remove(observer);
  }

  /** Returns the marker in which processes announce what they moved. */
  public ChangeMarker marker() {
    return backend.store().marker();
  }

  /** Lists the versions of stored records; see {@link NameStore#listVersions}. */
  public VersionPage listVersions(String prefix, Optional<String> page) {
    return backend.store().listVersions(prefix, page);
  }

  private void moved(Address address) {
    listeners.forEach(listener -> listener.accept(address));
    announcer.ifPresent(a -> a.notifyChanged(address));
  }

  /**
   * Returns the object store that holds the records, or is beside them; other components may keep
   * objects there too.
   */
  public Optional<ObjectStore> objects() {
    return beside.or(backend.store()::objects);
  }

  /** Returns the location of this nameservice. */
  public String location() {
    return backend.store().location();
  }

  /** Sends pending change notices to other processes, then closes the backend too. */
  @Override
  public void close() {
    announcer.ifPresent(ChangeNotifier::close);
    backend.close();
  }

  // What the named operations are made of.

  NameRecord create(NameRecord record) {
    if (backend.create(record)) {
      return record;
    }
    Optional<NameRecord> there = backend.find(record.address());
    throw new AlreadyExistsException(
        record.address()
            + there.map(NameService::describeExisting).orElse(" exists already")
            + (there.filter(r -> r.meta().retracted()).isPresent()
                ? ", but is retracted; restore it, or purge it to free the name"
                : "; choose another address"));
  }

  /** False when there is one already, of whatever kind. */
  boolean createIfAbsent(NameRecord record) {
    return backend.create(record);
  }

  private static String describeExisting(NameRecord there) {
    return there.meta().kind() == RecordKind.LEDGER
        ? " exists already, as a ledger"
        : " exists already, as a graph source";
  }

  /** Advances a concern under the given rule of what counts as forward. */
  public PushResult advance(Address address, ConcernChange.Advance change) {
    if (change.concern() == Concern.STATUS || change.concern() == Concern.CONFIG) {
      throw new InvalidPayloadException(
          "the "
              + change.concern().text()
              + " of "
              + address
              + " can't be advanced from an unknown state; push it from the one you know");
    }
    check(address, change.concern(), change.next());
    return observed(
        change.concern(),
        () -> {
          Outcome outcome = backend.change(address, change);
          if (outcome == NameBackend.Missing.MISSING) {
            throw change.concern() == Concern.HEAD
                ? notFound(address, RecordKind.LEDGER)
                : notFound(address);
          }
          return result(address, outcome);
        });
  }

  private PushResult observed(Concern concern, Supplier<PushResult> push) {
    PushObserver.Result ended = PushObserver.Result.FAILED;
    try {
      PushResult result = push.get();
      ended = result.updated() ? PushObserver.Result.UPDATED : PushObserver.Result.CONFLICT;
      return result;
    } finally {
      for (PushObserver observer : observers) {
        observer.onPush(concern, ended);
      }
    }
  }

  /** Carries out an edit of a record that must be there. */
  NameRecord editExisting(Address address, EditRequest request) {
    return edit(address, request).flatMap(EditResult::after).orElseThrow(() -> notFound(address));
  }

  void requireLive(NameRecord record) {
    if (record.meta().retracted()) {
      throw retracted(record.address());
    }
  }

  /**
   * Refuses a state that a concern can't take.
   *
   * @throws InvalidPayloadException when it is too long, or lacks what the concern needs
   */
  public void check(Address address, Concern concern, ConcernValue next) {
    check(address, concern, Optional.empty(), next);
  }

  /**
   * Checks a payload that replaces a known state.
   *
   * @param known a state whose texts may break a rule that a new one has to keep, since an earlier
   *     program stored it; then they may stay
   */
  public void check(
      Address address, Concern concern, Optional<ConcernValue> known, ConcernValue next) {
    boolean kept = known.flatMap(ConcernValue::payload).filter(p -> !p.isUnicode()).isPresent();
    if (!kept && next.payload().filter(payload -> !payload.isUnicode()).isPresent()) {
      throw new InvalidPayloadException(
          "the " + concern.text() + " of " + address + " has " + UnicodeText.PROBLEM);
    }
    next.payload()
        .filter(payload -> payload.isLongerThan(payloadLimit))
        .ifPresent(
            payload -> {
              throw new InvalidPayloadException(
                  "the "
                      + concern.text()
                      + " of "
                      + address
                      + " would have "
                      + payload.size()
                      + " bytes; at most "
                      + payloadLimit
                      + " are allowed, keep a pointer instead");
            });
    switch (concern) {
      case HEAD ->
          require(RefCodec.isHead(next), address, concern, "an id and its t", RefCodec.HEAD_LIKE);
      case INDEX -> require(RefCodec.isIndex(next), address, concern, "ids", RefCodec.INDEX_LIKE);
      case STATUS -> {
        boolean stated = next.payload().flatMap(p -> p.string("state")).isPresent();
        require(stated, address, concern, "a state", "{\"state\":\"ready\"}");
        requireCountable(address, concern, next);
      }
      case CONFIG -> requireCountable(address, concern, next);
    }
  }

  /** Refuses texts of a record that can't be stored everywhere. */
  static void requireUnicode(Address address, String what, Iterable<String> texts) {
    for (String text : texts) {
      if (!UnicodeText.isWellFormed(text)) {
        throw new InvalidPayloadException(
            "the " + what + " of " + address + " has " + UnicodeText.PROBLEM);
      }
    }
  }

  private static void require(
      boolean held, Address address, Concern concern, String what, String like) {
    if (!held) {
      throw new InvalidPayloadException(
          "the " + concern.text() + " of " + address + " needs " + what + ", like " + like);
    }
  }

  private static void requireCountable(Address address, Concern concern, ConcernValue next) {
    if (next.watermark() > HIGHEST_COUNT) {
      throw new InvalidPayloadException(
          "the "
              + concern.text()
              + " of "
              + address
              + " can't be counted on from "
              + next.watermark()
              + "; use the next number after the one that is there");
    }
  }

  static NotFoundException notFound(Address address) {
    return new NotFoundException("there is no " + address + "; check the address, or create it");
  }

  /**
   * Returns the exception that says whether there is no record at the address, or one of the other
   * kind.
   */
  NotFoundException notFound(Address address, RecordKind wanted) {
    if (find(address).filter(record -> record.meta().kind() != wanted).isEmpty()) {
      return notFound(address);
    }
    return new NotFoundException(
        wanted == RecordKind.LEDGER
            ? "there is no ledger "
                + address
                + " but a graph source, which has no commits; publish its index as a graph"
                + " source's, or check the address"
            : "there is no graph source "
                + address
                + " but a ledger; publish as to a ledger, or check the address");
  }

  private static RetractedException retracted(Address address) {
    return new RetractedException(address + " is retracted; restore it to change it");
  }

  Stream<NameRecord> branchesOf(Address source) {
    return backend.store().branchesOf(source);
  }

  long nowMs() {
    return clock.millis();
  }

  private PushResult pushToAbsent(Address address, Concern concern, ConcernValue next) {
    boolean creates = concern == Concern.HEAD || concern == Concern.INDEX;
    Retry.Backoff backoff = retry.start();
    while (true) {
      long now = clock.millis();
      if (creates && backend.create(NameRecord.newLedger(address, now).with(concern, next, now))) {
        return new PushResult.Updated(next);
      }
      Optional<NameRecord> there = backend.find(address);
      if (there.isPresent()) {
        return conflict(there.get(), concern);
      }
      if (!creates) {
        return new PushResult.Conflict(Optional.empty());
      }
      ContentionException.pauseOrGiveUp(backoff, address); // it was there and is gone already
    }
  }

  /**
   * Returns the conflict for a push that expected no record, with the state of the record that
   * exists.
   */
  private PushResult conflict(NameRecord there, Concern concern) {
    requireLive(there);
    if (concern == Concern.HEAD && there.meta().kind() != RecordKind.LEDGER) {
      throw new AlreadyExistsException(
          there.address() + describeExisting(there) + ", and has no head; choose another address");
    }
    return new PushResult.Conflict(Optional.of(there.concern(concern)));
  }

  private static PushResult result(Address address, Outcome outcome) {
    if (outcome instanceof Applied applied) {
      return new PushResult.Updated(applied.now());
    }
    if (outcome instanceof Refused refused) {
      return new PushResult.Conflict(Optional.of(refused.actual()));
    }
    throw retracted(address);
  }

  Retry.Backoff startRetry() {
    return retry.start();
  }
}
