// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.named.NamedLedgers;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.query.sql.SqlLimits;
import io.tidemark.ledger.query.sql.SqlProcesses;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ledgers that are kept open from one request to the next, since what a ledger knows of its commits
 * and types, its replica and its lease are what makes the next request fast.
 *
 * <p>A ledger is lent to any number of requests at once. When too many are open, the one that
 * wasn't used for longest is closed, but never one that is in use. For each request the record of
 * the name is read anew: a ledger whose name was retracted isn't lent, and one whose name was
 * purged, or leads elsewhere, is opened again. That another ledger has come to the same place is
 * told by its objects; then it is opened again, too.
 */
public final class OpenLedgers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenLedgers.class);
  private static final int STRIPES = 64;

  private final NameService names;
  private final NamedLedgers ledgers;
  private final LedgerOptions options;
  private final SqlProcesses processes;
  private final int most;

  /** The least recently used first. */
  private final Map<Address, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** Held while one is opened, so that nobody opens another of the same address. */
  private final Object[] opening = new Object[STRIPES];

  private int underWay;
  private boolean closed;

  public OpenLedgers(NameService names, LedgerSettings settings) {
    this.names = names;
    this.ledgers = new NamedLedgers(names, settings.places());
    this.options = settings.options();
    // They stay when the last ledger is closed.
    this.processes =
        settings.isolation() == Isolation.UNLIMITED_PROCESS
            ? SqlProcesses.withoutNeedOfLimits(options.queries().cache())
            : SqlProcesses.in(options.queries().cache());
    this.most = settings.open();
    for (int i = 0; i < STRIPES; i++) {
      opening[i] = new Object();
    }
  }

  /**
   * Starts a process for the first statement in SQL, if there is a ledger. That is done on a thread
   * of its own, since names have to be read for it.
   */
  public void prepareSql(SqlLimits limits) {
    if (options.queries().isolation() == Isolation.THIS_PROCESS) {
      return;
    }
    Thread thread = new Thread(() -> prepareProcess(limits), "tidemark-sql-start");
    thread.setDaemon(true);
    thread.start();
  }

  private void prepareProcess(SqlLimits limits) {
    try (Stream<NameRecord> found = names.list(RecordFilter.all().ofKind(Kind.LEDGER).atMost(1))) {
      if (found.findFirst().isPresent()) {
        processes.prepare(limits);
      }
    } catch (RuntimeException e) {
      LOG.debug("no process for SQL is started before the first statement", e);
    }
  }

  /** What is known of a name, by which another that was given the same name is told from it. */
  private record Seen(Optional<Long> created, Optional<String> source, ConcernValue place) {}

  private static final class Kept {
    private final NamedLedgers.Opened opened;
    private final Seen seen;
    private long head;
    private int users;
    private boolean dismissed;

    Kept(NamedLedgers.Opened opened, Seen seen, long head) {
      this.opened = opened;
      this.seen = seen;
      this.head = head;
    }
  }

  /** A ledger for the time of a request; to be closed, which leaves the ledger open. */
  final class Lent implements AutoCloseable {
    private final Kept from;

    private Lent(Kept from) {
      this.from = from;
    }

    Ledger ledger() {
      return from.opened.ledger();
    }

    @Override
    public void close() {
      giveBack(from);
    }
  }

  /** How ledgers are opened here. */
  LedgerOptions options() {
    return options;
  }

  NameService names() {
    return names;
  }

  /** Those that are in places that are served. */
  NamedLedgers ledgers() {
    return ledgers;
  }

  /**
   * Does something with a ledger. When it turns out that there is another in its place by now, it
   * is done with that; nothing was done with the first then.
   */
  <A> A with(Address address, Function<Ledger, A> work) {
    try (Lent lent = lend(address)) {
      return work.apply(lent.ledger());
    } catch (UninitializedLedgerException e) {
      dismiss(address);
    }
    try (Lent lent = lend(address)) {
      return work.apply(lent.ledger());
    }
  }

  /**
   * Lends a ledger.
   *
   * @throws io.tidemark.names.NotFoundException when there is no such name
   * @throws io.tidemark.names.RetractedException when it is retracted
   * @throws ProblemException when as many are in use as may be open
   */
  Lent lend(Address address) {
    Optional<NameRecord> record = names.find(address);
    if (record.isEmpty() || record.get().meta().retracted()) {
      dismiss(address); // opening it says what is the matter
      return open(address);
    }
    return known(record.get()).orElseGet(() -> open(address));
  }

  private Optional<Lent> known(NameRecord record) {
    Seen seen = seen(record);
    long head = record.commit().t();
    synchronized (this) {
      requireOpen();
      Kept found = kept.get(record.address());
      // A head that went back is that of a ledger that began anew.
      if (found == null || !found.seen.equals(seen) || head < found.head) {
        return Optional.empty();
      }
      found.head = head;
      found.users++;
      return Optional.of(new Lent(found));
    }
  }

  private Seen seen(NameRecord record) {
    Address main = record.address().onBranch(Address.MAIN);
    NameRecord root = record.address().equals(main) ? record : names.find(main).orElse(record);
    return new Seen(record.meta().createdAt(), record.meta().sourceBranch(), root.config());
  }

  private Lent open(Address address) {
    synchronized (opening[Math.floorMod(address.hashCode(), STRIPES)]) {
      Optional<NameRecord> record = names.find(address);
      Optional<Lent> there = record.filter(found -> !found.meta().retracted()).flatMap(this::known);
      if (there.isPresent()) {
        return there.get();
      }
      dismiss(address);
      makeRoom();
      try {
        NamedLedgers.Opened opened = ledgers.open(address, options);
        return keep(
            address,
            new Kept(
                opened,
                record
                    .map(this::seen)
                    .orElseGet(
                        () -> new Seen(Optional.empty(), Optional.empty(), ConcernValue.UNBORN)),
                record.map(found -> found.commit().t()).orElse(0L)));
      } finally {
        synchronized (this) {
          underWay--;
        }
      }
    }
  }

  private Lent keep(Address address, Kept opened) {
    synchronized (this) {
      if (!closed) {
        opened.users++;
        kept.put(address, opened);
        return new Lent(opened);
      }
    }
    close(opened);
    throw closed();
  }

  /** Closes what wasn't used for longest, if there is no room for another. */
  private void makeRoom() {
    List<Kept> leaving = new ArrayList<>();
    synchronized (this) {
      requireOpen();
      Iterator<Kept> oldest = kept.values().iterator();
      while (kept.size() + underWay >= most && oldest.hasNext()) {
        Kept next = oldest.next();
        if (next.users == 0) {
          oldest.remove();
          leaving.add(next);
        }
      }
      if (kept.size() + underWay >= most) {
        leaving.forEach(OpenLedgers::close);
        throw new ProblemException(
            Problem.of(
                503,
                "busy",
                "as many ledgers are in use as the server keeps open, "
                    + most
                    + "; try again soon"),
            Map.of("Retry-After", "1"));
      }
      underWay++;
    }
    leaving.forEach(OpenLedgers::close);
  }

  /** Closes a ledger as soon as nobody uses it; whoever asks for it next gets it opened anew. */
  void dismiss(Address address) {
    Kept gone;
    synchronized (this) {
      gone = kept.remove(address);
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

  private void giveBack(Kept from) {
    synchronized (this) {
      from.users--;
      if (from.users > 0 || !from.dismissed) {
        return;
      }
    }
    close(from);
  }

  /** How many are open. */
  synchronized int size() {
    return kept.size();
  }

  private void requireOpen() {
    if (closed) {
      throw closed();
    }
  }

  private static ProblemException closed() {
    return new ProblemException(
        Problem.of(503, "stopping", "the server is about to stop; ask another, or later"));
  }

  private static void close(Kept gone) {
    try {
      gone.opened.close();
    } catch (RuntimeException e) {
      LOG.warn("a ledger could not be closed cleanly: {}", e.toString());
    }
  }

  /** Closes all of them, which gives their leases back; queries that are under way are ended. */
  @Override
  public void close() {
    List<Kept> all;
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
      all = new ArrayList<>(kept.values());
      kept.clear();
    }
    all.forEach(OpenLedgers::close);
    if (first) {
      processes.close();
    }
  }
}
