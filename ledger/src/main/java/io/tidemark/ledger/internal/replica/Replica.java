// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DataFileCache;
import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.TypeFileCache;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replica of a ledger's rows, of the types that are asked for. Opened when it is first needed.
 *
 * <p>A query is answered by it if every type it looks at has been fed up to the query's head, or
 * beyond it on the same chain of commits; what is missing is fed first, by one thread at a time.
 * There are cases in which it isn't, and the files have to do: all slots are taken; the head is
 * older than what was fed and of another version of the type, or not known to be of the same chain.
 *
 * <p>A failure of the database itself isn't the query's business either: the replica is given up,
 * for this process for good, and what is left of it is deleted.
 */
public final class Replica implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  /** Policy on when the replica is fed with types that it doesn't have. */
  public enum LoadPolicy {
    /** When one is asked for. */
    EVERY_TYPE,
    /** When one is asked for that is in so many files that reading them takes as long. */
    MANY_FILES
  }

  /** From so many files on feeding a type takes about as long as one query of its files. */
  private static final int MANY = 200;

  private final Path ledgers;
  private final Path ledger;
  private final String memoryLimit;
  private final ReplicaLoader replicaLoader;
  private final Map<TypeId, LoadedTable> fed = new ConcurrentHashMap<>();
  private final TableSorter tableSorter;
  private volatile State state = new State.Unopened();

  private sealed interface State {
    record Unopened() implements State {}

    record Open(ReplicaDatabase file) implements State {}

    /** There was no slot for the replica, or it has ended. */
    record Off() implements State {}

    /** The replica was given up, and queries may still be under way on it. */
    record Retired(ReplicaDatabase file) implements State {}

    default boolean isOver() {
      return this instanceof Off || this instanceof Retired;
    }
  }

  /**
   * Settings of where replicas are, and what they may take.
   *
   * @param fewestLoose with fewer rows in no order a table isn't sorted anew
   */
  public record ReplicaSettings(Path directory, String memoryLimit, long fewestLoose) {

    /**
     * Creates settings that allow twenty groups of rows in no order: a look-up takes about a
     * millisecond longer with them.
     */
    public ReplicaSettings(Path directory, String memoryLimit) {
      this(directory, memoryLimit, 20L * DuckDbDatabase.ROW_GROUP);
    }
  }

  /** Creates a replica that isn't open yet. */
  public Replica(
      ReplicaSettings replicaSettings,
      LedgerObjects objects,
      ManifestChain manifestChain,
      TypeFileCache known,
      DataFileCache files) {
    this.ledgers = replicaSettings.directory();
    this.ledger = ledgers.resolve(nameOf(objects));
    this.memoryLimit = replicaSettings.memoryLimit();
    this.replicaLoader = new ReplicaLoader(known, files, new AncestryCheck(manifestChain));
    this.tableSorter = new TableSorter(replicaSettings.fewestLoose(), fed, this);
  }

  /** Names a replica by the ledger's place alone: the epoch tells which ledger is in that place. */
  private static String nameOf(LedgerObjects objects) {
    byte[] place = objects.location().getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(place).toString();
  }

  /** Rows that have been brought up to a head, and where they are. */
  record LoadedRows(DuckDbDatabase database, ReplicaRowSource relations) {}

  /** Brings types up to a head; empty when the files have to do. */
  Optional<LoadedRows> at(
      Collection<TypeView> types, PinnedHead pinnedHead, LoadPolicy loadPolicy) {
    if (pinnedHead.newest().isEmpty() || state.isOver()) {
      return Optional.empty();
    }
    try {
      Optional<ReplicaDatabase> file = open(types, pinnedHead, loadPolicy);
      return file.isEmpty() ? Optional.empty() : at(file.get(), types, pinnedHead, loadPolicy);
    } catch (ClosedByInterruptException e) {
      return Optional.empty(); // which is this thread's business only; the next one opens it
    } catch (SQLException | IOException e) {
      disable(e);
      return Optional.empty();
    } catch (IllegalStateException e) {
      if (state.isOver()) {
        return Optional.empty(); // another thread has just given it up
      }
      throw e;
    }
  }

  /** Does as {@link #at}, but after any feeding or replacing of a table in another thread. */
  synchronized Optional<LoadedRows> awaitIdleAt(
      Collection<TypeView> types, PinnedHead pinnedHead, LoadPolicy loadPolicy) {
    return at(types, pinnedHead, loadPolicy);
  }

  private Optional<LoadedRows> at(
      ReplicaDatabase file,
      Collection<TypeView> types,
      PinnedHead pinnedHead,
      LoadPolicy loadPolicy)
      throws SQLException {
    Map<TypeId, LoadedTable> ready = new HashMap<>();
    List<LoadBatch> steps = new ArrayList<>();
    for (TypeView type : types) {
      LoadedTable known = fed.get(type.id());
      if (known == null || !covers(known, type, pinnedHead)) {
        Optional<ReplicaLoader.LoadResult> brought = advanceTo(file, type, pinnedHead, loadPolicy);
        if (brought.isEmpty()) {
          return Optional.empty();
        }
        known = brought.get().fed();
        steps.addAll(brought.get().steps());
      }
      ready.put(type.id(), known);
    }
    return Optional.of(new LoadedRows(file.database(), new ReplicaRowSource(ready, steps)));
  }

  private boolean covers(LoadedTable known, TypeView type, PinnedHead pinnedHead) {
    if (!known.stamp().equals(LoadedTable.fingerprint(type, pinnedHead))) {
      return false;
    }
    String path = pinnedHead.head().manifestPath().orElse("");
    long commit = pinnedHead.head().commitId();
    return commit == known.commitId()
        ? path.equals(known.manifestPath())
        : known.seen().filter(of -> replicaLoader.lineage().contains(of, commit, path)).isPresent();
  }

  private synchronized Optional<ReplicaLoader.LoadResult> advanceTo(
      ReplicaDatabase file, TypeView type, PinnedHead pinnedHead, LoadPolicy loadPolicy)
      throws SQLException {
    LoadedTable known = fed.get(type.id());
    if (known != null && covers(known, type, pinnedHead)) { // another thread was faster
      return Optional.of(new ReplicaLoader.LoadResult(known, List.of()));
    }
    Optional<LoadedTable> before =
        Optional.ofNullable(known)
            .filter(of -> of.stamp().equals(LoadedTable.fingerprint(type, pinnedHead)))
            .filter(
                of ->
                    replicaLoader.lineage().contains(pinnedHead, of.commitId(), of.manifestPath()));
    boolean older =
        known != null
            && known.isOfLedger(pinnedHead)
            && known.commitId() > pinnedHead.head().commitId();
    if (before.isEmpty() && (older || !isWorthLoading(type, pinnedHead, loadPolicy))) {
      return Optional.empty();
    }
    try (Connection connection = file.database().connect()) {
      ReplicaLoader.LoadResult loadResult =
          replicaLoader.advanceTo(connection, type, before, pinnedHead);
      fed.put(type.id(), loadResult.fed());
      if (loadPolicy == LoadPolicy.EVERY_TYPE) { // a single query would end first
        tableSorter.sortIfDue(file, connection, type, loadResult.fed());
      }
      return Optional.of(loadResult);
    }
  }

  private boolean isWorthLoading(TypeView type, PinnedHead pinnedHead, LoadPolicy loadPolicy) {
    return loadPolicy == LoadPolicy.EVERY_TYPE
        || replicaLoader.missing(type, 0, pinnedHead).sources().size() >= MANY;
  }

  private Optional<ReplicaDatabase> open(
      Collection<TypeView> types, PinnedHead pinnedHead, LoadPolicy loadPolicy)
      throws SQLException, IOException {
    if (state instanceof State.Open open) {
      return Optional.of(open.file());
    }
    boolean wanted =
        Slot.anyHasDatabase(ledger)
            || types.stream().anyMatch(type -> isWorthLoading(type, pinnedHead, loadPolicy));
    return wanted ? open() : Optional.empty();
  }

  private synchronized Optional<ReplicaDatabase> open() throws SQLException, IOException {
    if (state instanceof State.Unopened) {
      Slot.clearUnused(ledgers, Instant.now());
      Optional<Slot> slot = Slot.acquire(ledger);
      if (slot.isPresent()) {
        ReplicaDatabase file = open(slot.get());
        fed.putAll(loadedTables(file));
        state = new State.Open(file);
      } else {
        LOG.info("all places for a replica in {} are taken; queries read files", ledger);
        state = new State.Off();
      }
    }
    return state instanceof State.Open open ? Optional.of(open.file()) : Optional.empty();
  }

  private ReplicaDatabase open(Slot slot) throws SQLException, IOException {
    try {
      return ReplicaDatabase.open(slot, memoryLimit);
    } catch (SQLException | IOException | RuntimeException e) {
      slot.close();
      throw e;
    }
  }

  private static Map<TypeId, LoadedTable> loadedTables(ReplicaDatabase file)
      throws SQLException, IOException {
    try {
      return file.loadedTables();
    } catch (SQLException | RuntimeException e) {
      file.discard();
      throw e instanceof SQLException damaged ? damaged : new SQLException(e);
    }
  }

  /**
   * Gives up the replica from now on, and leaves nothing of it to its next user. Queries of other
   * threads that are under way on it end as they would have.
   */
  synchronized void disable(Exception reason) {
    if (state.isOver()) {
      return; // another thread was faster
    }
    LOG.warn("the replica in {} is given up; queries read files", ledger, reason);
    fed.clear();
    if (state instanceof State.Open open) {
      state = new State.Retired(open.file());
      try {
        open.file().retire();
      } catch (IOException | RuntimeException e) {
        LOG.warn("what is left of the replica in {} can't be deleted", ledger, e);
      }
    } else {
      state = new State.Off();
    }
  }

  /** Closes the replica, and ends queries that are under way on it. */
  @Override
  public synchronized void close() {
    State before = state;
    state = new State.Off();
    try {
      if (before instanceof State.Open open) {
        open.file().close();
      } else if (before instanceof State.Retired retired) {
        retired.file().discard();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the lock of the replica can't be given back", e);
    }
  }
}
