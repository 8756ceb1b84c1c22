// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.KnownFiles;
import io.tidemark.ledger.internal.duckdb.LocalFiles;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
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
 * A replica of a ledger's rows, of the types that are asked for. Opened when it is first needed.
 *
 * <p>A query is answered by it if every type it looks at has been fed up to the query's head, or
 * beyond it on the same chain of commits; what is missing is fed first, by one thread at a time.
 * There are cases in which it isn't, and the files have to do: all slots are taken; the head is
 * older than what was fed and of another version of the type, or not known to be of the same chain.
 *
 * <p>Whatever goes wrong with the database itself isn't the query's business either: the replica is
 * given up, for this process for good, and what is left of it is deleted.
 */
public final class Replica implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  /** When it is fed with types that it doesn't have. */
  public enum Eagerness {
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
  private final Feeding feeding;
  private final Map<TypeId, Fed> fed = new ConcurrentHashMap<>();
  private final Tidying tidying;
  private volatile State state = new State.Unopened();

  private sealed interface State {
    record Unopened() implements State {}

    record Open(ReplicaFile file) implements State {}

    /** There was no slot for it, or it has ended. */
    record Off() implements State {}

    /** It was given up, and queries may still be under way on it. */
    record Retired(ReplicaFile file) implements State {}

    default boolean isOver() {
      return this instanceof Off || this instanceof Retired;
    }
  }

  /**
   * Where replicas are, and what they may take.
   *
   * @param fewestLoose with fewer rows in no order a table isn't sorted anew
   */
  public record Room(Path directory, String memoryLimit, long fewestLoose) {

    /** With twenty groups of rows in no order a look-up takes about a millisecond longer. */
    public Room(Path directory, String memoryLimit) {
      this(directory, memoryLimit, 20L * DuckDbDatabase.ROW_GROUP);
    }
  }

  /** A replica that isn't open yet. */
  public Replica(
      Room room, LedgerObjects objects, Chain chain, KnownFiles known, LocalFiles files) {
    this.ledgers = room.directory();
    this.ledger = ledgers.resolve(nameOf(objects));
    this.memoryLimit = room.memoryLimit();
    this.feeding = new Feeding(known, files, new Lineage(chain));
    this.tidying = new Tidying(room.fewestLoose(), fed, this);
  }

  /** Which ledger is in that place is found out by its epoch, so its place alone will do. */
  private static String nameOf(LedgerObjects objects) {
    byte[] place = objects.location().getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(place).toString();
  }

  /** Rows that have been brought up to a head, and where they are. */
  record Ready(DuckDbDatabase database, ReplicaRelations relations) {}

  /** Brings types up to a head; empty when the files have to do. */
  Optional<Ready> at(Collection<TypeView> types, Base base, Eagerness eagerness) {
    if (base.newest().isEmpty() || state.isOver()) {
      return Optional.empty();
    }
    try {
      Optional<ReplicaFile> file = open(types, base, eagerness);
      return file.isEmpty() ? Optional.empty() : at(file.get(), types, base, eagerness);
    } catch (ClosedByInterruptException e) {
      return Optional.empty(); // which is this thread's business only; the next one opens it
    } catch (SQLException | IOException e) {
      giveUp(e);
      return Optional.empty();
    } catch (IllegalStateException e) {
      if (state.isOver()) {
        return Optional.empty(); // another thread has just given it up
      }
      throw e;
    }
  }

  /** The same once nobody is feeding it or replacing a table: where rows are by now. */
  synchronized Optional<Ready> afterwardsAt(
      Collection<TypeView> types, Base base, Eagerness eagerness) {
    return at(types, base, eagerness);
  }

  private Optional<Ready> at(
      ReplicaFile file, Collection<TypeView> types, Base base, Eagerness eagerness)
      throws SQLException {
    Map<TypeId, Fed> ready = new HashMap<>();
    List<Step> steps = new ArrayList<>();
    for (TypeView type : types) {
      Fed known = fed.get(type.id());
      if (known == null || !covers(known, type, base)) {
        Optional<Feeding.Brought> brought = bringUp(file, type, base, eagerness);
        if (brought.isEmpty()) {
          return Optional.empty();
        }
        known = brought.get().fed();
        steps.addAll(brought.get().steps());
      }
      ready.put(type.id(), known);
    }
    return Optional.of(new Ready(file.database(), new ReplicaRelations(ready, steps)));
  }

  private boolean covers(Fed known, TypeView type, Base base) {
    if (!known.stamp().equals(Fed.stamp(type, base))) {
      return false;
    }
    String path = base.head().manifestPath().orElse("");
    long commit = base.head().commitId();
    return commit == known.commitId()
        ? path.equals(known.manifestPath())
        : known.seen().filter(of -> feeding.lineage().holds(of, commit, path)).isPresent();
  }

  private synchronized Optional<Feeding.Brought> bringUp(
      ReplicaFile file, TypeView type, Base base, Eagerness eagerness) throws SQLException {
    Fed known = fed.get(type.id());
    if (known != null && covers(known, type, base)) { // another thread was faster
      return Optional.of(new Feeding.Brought(known, List.of()));
    }
    Optional<Fed> before =
        Optional.ofNullable(known)
            .filter(of -> of.stamp().equals(Fed.stamp(type, base)))
            .filter(of -> feeding.lineage().holds(base, of.commitId(), of.manifestPath()));
    boolean older =
        known != null && known.isOfLedger(base) && known.commitId() > base.head().commitId();
    if (before.isEmpty() && (older || !isWorthFeeding(type, base, eagerness))) {
      return Optional.empty();
    }
    try (Connection connection = file.database().connect()) {
      Feeding.Brought brought = feeding.bringUp(connection, type, before, base);
      fed.put(type.id(), brought.fed());
      if (eagerness == Eagerness.EVERY_TYPE) { // who asks once would end before it is done
        tidying.consider(file, connection, type, brought.fed());
      }
      return Optional.of(brought);
    }
  }

  private boolean isWorthFeeding(TypeView type, Base base, Eagerness eagerness) {
    return eagerness == Eagerness.EVERY_TYPE
        || feeding.missing(type, 0, base).sources().size() >= MANY;
  }

  private Optional<ReplicaFile> open(Collection<TypeView> types, Base base, Eagerness eagerness)
      throws SQLException, IOException {
    if (state instanceof State.Open open) {
      return Optional.of(open.file());
    }
    boolean wanted =
        Slot.anyIsFilled(ledger)
            || types.stream().anyMatch(type -> isWorthFeeding(type, base, eagerness));
    return wanted ? open() : Optional.empty();
  }

  private synchronized Optional<ReplicaFile> open() throws SQLException, IOException {
    if (state instanceof State.Unopened) {
      Slot.emptyTheForgotten(ledgers, Instant.now());
      Optional<Slot> slot = Slot.take(ledger);
      if (slot.isPresent()) {
        ReplicaFile file = open(slot.get());
        fed.putAll(fed(file));
        state = new State.Open(file);
      } else {
        LOG.info("all places for a replica in {} are taken; queries read files", ledger);
        state = new State.Off();
      }
    }
    return state instanceof State.Open open ? Optional.of(open.file()) : Optional.empty();
  }

  private ReplicaFile open(Slot slot) throws SQLException, IOException {
    try {
      return ReplicaFile.open(slot, memoryLimit);
    } catch (SQLException | IOException | RuntimeException e) {
      slot.close();
      throw e;
    }
  }

  private static Map<TypeId, Fed> fed(ReplicaFile file) throws SQLException, IOException {
    try {
      return file.fed();
    } catch (SQLException | RuntimeException e) {
      file.discard();
      throw e instanceof SQLException damaged ? damaged : new SQLException(e);
    }
  }

  /**
   * Does without it from now on, and leaves nothing of it to whoever comes next. Queries of other
   * threads that are under way on it end as they would have.
   */
  synchronized void giveUp(Exception reason) {
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

  /** Ends it, and queries that are under way on it. */
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
