// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.LocationPolicy;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlProcessPool;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of open ledgers, whose commits, types, replica and lease make the next request fast.
 *
 * <p>Any number of requests use a ledger at once. If too many are open, the least recently used one
 * is closed, but never one in use. Each request reads the record of the name: a ledger whose name
 * was retracted isn't handed out, and one whose name was purged or leads elsewhere is opened again.
 * If another ledger has come to the same location, its objects tell; then it is opened again, too.
 */
public final class LedgerCache implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerCache.class);
  private static final int STRIPES = 64;

  private final NameService names;
  private final NamedLedgers ledgers;
  private final LedgerOptions options;
  private final int most;

  /**
   * Open ledgers by their addresses, the least recently used first. Addresses are texts, since the
   * hash of a record has to be linked first, which takes longer than a short query.
   */
  private final Map<String, CachedLedger> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** Locks held while a ledger is opened, so that no other thread opens the same address. */
  private final Object[] opening = new Object[STRIPES];

  /** Processes for SQL; they stay when the last ledger is closed. */
  private Optional<SqlProcessPool> processes = Optional.empty();

  private final Set<Consumer<Duration>> stops = ConcurrentHashMap.newKeySet();

  private int underWay;
  private boolean closed;

  /**
   * Creates an empty cache.
   *
   * @param locationPolicy locations where ledgers may be
   * @param options options to open ledgers with
   * @param most maximum number of open ledgers
   */
  public LedgerCache(
      NameService names, LocationPolicy locationPolicy, LedgerOptions options, int most) {
    this.names = names;
    this.ledgers = new NamedLedgers(names, locationPolicy);
    this.options = options;
    this.most = most;
    for (int i = 0; i < STRIPES; i++) {
      opening[i] = new Object();
    }
  }

  /** Starts a process for the first statement in SQL, in the background, if there is a ledger. */
  public void prepareSqlIfUsed(SqlLimits limits) {
    Optional<SqlProcessPool> kept = processes();
    if (kept.isEmpty()) {
      return;
    }
    Thread thread = new Thread(() -> prepareIfUsed(kept.get(), limits), "tidemark-sql-start");
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts a process for a statement in SQL that will come soon. */
  public void prepareSql(SqlLimits limits) {
    processes().ifPresent(kept -> kept.prepare(limits));
  }

  private synchronized Optional<SqlProcessPool> processes() {
    Isolation isolation = options.queries().isolation();
    if (processes.isEmpty() && !closed && isolation != Isolation.THIS_PROCESS) {
      processes =
          Optional.of(
              isolation == Isolation.UNLIMITED_PROCESS
                  ? SqlProcessPool.withOptionalLimits(options.queries().cache())
                  : SqlProcessPool.in(options.queries().cache()));
    }
    return processes;
  }

  private void prepareIfUsed(SqlProcessPool kept, SqlLimits limits) {
    try (Stream<NameRecord> found =
        names.list(RecordFilter.all().ofKind(RecordKind.LEDGER).atMost(1))) {
      if (found.findFirst().isPresent()) {
        kept.prepare(limits);
      }
    } catch (RuntimeException e) {
      LOG.debug("no process for SQL is started before the first statement", e);
    }
  }

  /** Identity of a name, which tells a later ledger of the same name from it. */
  private record NameIdentity(
      Optional<Long> created, Optional<String> source, ConcernValue place) {}

  private static final class CachedLedger {
    private final NamedLedgers.OpenLedger openLedger;
    private final NameIdentity nameIdentity;
    private long head;
    private int users;
    private boolean dismissed;

    CachedLedger(NamedLedgers.OpenLedger openLedger, NameIdentity nameIdentity, long head) {
      this.openLedger = openLedger;
      this.nameIdentity = nameIdentity;
      this.head = head;
    }
  }

  /** Use of a ledger by one request. Closing it leaves the ledger open. */
  public final class LedgerHandle implements AutoCloseable {
    private final CachedLedger from;

    private LedgerHandle(CachedLedger from) {
      this.from = from;
    }

    public Ledger ledger() {
      return from.openLedger.ledger();
    }

    @Override
    public void close() {
      release(from);
    }
  }

  /** Returns the options that ledgers are opened with. */
  public LedgerOptions options() {
    return options;
  }

  public NameService names() {
    return names;
  }

  /** Returns the ledgers by their names, those in allowed locations. */
  public NamedLedgers ledgers() {
    return ledgers;
  }

  /**
   * Applies a function to a ledger. If the ledger in its location turns out to be another one by
   * now, applies it to that; nothing was done with the first then.
   */
  public <A> A with(Address address, Function<Ledger, A> work) {
    try (LedgerHandle lent = acquire(address)) {
      return work.apply(lent.ledger());
    } catch (UninitializedLedgerException e) {
      evict(address);
    }
    try (LedgerHandle lent = acquire(address)) {
      return work.apply(lent.ledger());
    }
  }

  /**
   * Hands out a ledger.
   *
   * @throws io.tidemark.names.NotFoundException when there is no such name
   * @throws io.tidemark.names.RetractedException when it is retracted
   * @throws TidemarkException with the code busy if as many are in use as may be open
   */
  public LedgerHandle acquire(Address address) {
    if (!isCached(address)) {
      return open(address); // which reads the record itself
    }
    Optional<NameRecord> record = names.find(address);
    if (record.isEmpty() || record.get().meta().retracted()) {
      evict(address); // opening it says what is the matter
      return open(address);
    }
    return cached(record.get()).orElseGet(() -> open(address));
  }

  private synchronized boolean isCached(Address address) {
    return kept.containsKey(address.toString());
  }

  private Optional<LedgerHandle> cached(NameRecord record) {
    if (!isCached(record.address())) {
      return Optional.empty();
    }
    NameIdentity nameIdentity = seen(record);
    long head = record.commit().t();
    synchronized (this) {
      requireOpen();
      CachedLedger found = kept.get(record.address().toString());
      // A head that went back is that of a ledger that began anew.
      if (found == null || !found.nameIdentity.equals(nameIdentity) || head < found.head) {
        return Optional.empty();
      }
      found.head = head;
      found.users++;
      return Optional.of(new LedgerHandle(found));
    }
  }

  private NameIdentity seen(NameRecord record) {
    Address main = record.address().onBranch(Address.MAIN);
    NameRecord root =
        record.address().branch().equals(Address.MAIN) ? record : names.find(main).orElse(record);
    return new NameIdentity(record.meta().createdAt(), record.meta().sourceBranch(), root.config());
  }

  private LedgerHandle open(Address address) {
    synchronized (opening[Math.floorMod(address.toString().hashCode(), STRIPES)]) {
      Optional<NameRecord> record = names.find(address);
      Optional<LedgerHandle> there =
          record.filter(found -> !found.meta().retracted()).flatMap(this::cached);
      if (there.isPresent()) {
        return there.get();
      }
      evict(address);
      evictLeastRecentlyUsed();
      try {
        NamedLedgers.OpenLedger openLedger = ledgers.open(address, options);
        return put(
            address,
            new CachedLedger(
                openLedger,
                record
                    .map(this::seen)
                    .orElseGet(
                        () ->
                            new NameIdentity(
                                Optional.empty(), Optional.empty(), ConcernValue.UNBORN)),
                record.map(found -> found.commit().t()).orElse(0L)));
      } finally {
        synchronized (this) {
          underWay--;
        }
      }
    }
  }

  private LedgerHandle put(Address address, CachedLedger opened) {
    synchronized (this) {
      if (!closed) {
        opened.users++;
        kept.put(address.toString(), opened);
        return new LedgerHandle(opened);
      }
    }
    close(opened);
    throw closed();
  }

  /** Closes what wasn't used for longest, if there is no room for another. */
  private void evictLeastRecentlyUsed() {
    List<CachedLedger> leaving = new ArrayList<>();
    synchronized (this) {
      requireOpen();
      Iterator<CachedLedger> oldest = kept.values().iterator();
      while (kept.size() + underWay >= most && oldest.hasNext()) {
        CachedLedger next = oldest.next();
        if (next.users == 0) {
          oldest.remove();
          leaving.add(next);
        }
      }
      if (kept.size() + underWay >= most) {
        leaving.forEach(LedgerCache::close);
        throw new TidemarkException(
            ErrorCode.BUSY,
            "the maximum number of open ledgers, " + most + ", is in use; try again soon");
      }
      underWay++;
    }
    leaving.forEach(LedgerCache::close);
  }

  /** Registration of work to be stopped; closing it removes the work. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** Registers an action that stops work that writes outside of an open ledger. */
  Registration onStop(Consumer<Duration> stop) {
    stops.add(stop);
    return () -> stops.remove(stop);
  }

  /**
   * Stops writing, for a process that is told to end: locks are given back, commits that were made
   * stay.
   *
   * @param limit time that it may take
   */
  public void stop(Duration limit) {
    List<CachedLedger> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(kept.values());
    }
    all.forEach(each -> each.openLedger.ledger().stop(limit));
    stops.forEach(each -> each.accept(limit));
  }

  /** Closes a ledger as soon as it isn't in use; the next request opens it anew. */
  public void evict(Address address) {
    CachedLedger gone;
    synchronized (this) {
      gone = kept.remove(address.toString());
      if (gone == null) {
        return;
      }
      gone.dismissed = true;
      if (gone.users > 0) {
        return;
      }
    }
    close(gone);
  }

  private void release(CachedLedger from) {
    synchronized (this) {
      from.users--;
      if (from.users > 0 || !from.dismissed) {
        return;
      }
    }
    close(from);
  }

  /** Returns the number of open ledgers. */
  public synchronized int size() {
    return kept.size();
  }

  private void requireOpen() {
    if (closed) {
      throw closed();
    }
  }

  private static TidemarkException closed() {
    return new TidemarkException(
        ErrorCode.STOPPING, "the server is about to stop; ask another, or later");
  }

  private static void close(CachedLedger gone) {
    try {
      gone.openLedger.close();
    } catch (RuntimeException e) {
      LOG.warn("a ledger could not be closed cleanly: {}", e.toString());
    }
  }

  /** Closes all of them, which gives their leases back; queries that are under way are ended. */
  @Override
  public void close() {
    List<CachedLedger> all;
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
      all = new ArrayList<>(kept.values());
      kept.clear();
    }
    all.forEach(LedgerCache::close);
    if (first) {
      processes.ifPresent(SqlProcessPool::close);
    }
  }
}
