// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.Session;
import io.tidemark.features.db.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Does once what is due: partitions of the days to come are made, those that are too old dropped,
 * days that are over are sealed, or merged to months, collections measured, and what killed loads
 * have left is dropped.
 *
 * <p>There is one at a time, by a lock that its session holds. What fails for one collection
 * doesn't keep it from the others. A step that would make others wait is given up soon and left for
 * the next time.
 */
public final class Maintainer {

  /** How long others may have to wait because of a step that waits itself. */
  private static final String SETTINGS = "SET lock_timeout = '200ms'; SET statement_timeout = 0";

  private final Storage storage;
  private final MaintainOptions options;

  public Maintainer(Storage storage, MaintainOptions options) {
    this.storage = storage;
    this.options = options;
  }

  /** Does all of it, unless another one does. */
  public Maintenance run() {
    return run(name -> {});
  }

  /**
   * The same, and tells what is its turn.
   *
   * @param turn gets the name of a collection, or of the log, before it is maintained
   */
  public Maintenance run(Consumer<String> turn) {
    try (Session session = storage.apart()) {
      session.run(SETTINGS);
      if (!locked(session)) {
        return new Maintenance.Busy();
      }
      begin(session);
      return new Maintenance.Done(maintain(session, turn));
    }
  }

  private static boolean locked(Session session) {
    return session.yes(
        "SELECT pg_try_advisory_lock(hashtext('%s.naksha'), hashtext('maintainer'))");
  }

  private static void begin(Session session) {
    session.with(
        connection -> {
          connection.setNetworkTimeout(Runnable::run, 0); // to measure a collection may take long
          connection.setAutoCommit(false);
          return true;
        });
  }

  private List<Upkeep> maintain(Session session, Consumer<String> turn) {
    List<Upkeep> done = new ArrayList<>();
    turn.accept(LogUpkeep.LOG);
    done.add(new LogUpkeep(session, options).run());
    new LoadUpkeep(session).run().ifPresent(done::add);
    for (String text :
        session.texts("SELECT naksha_collections::text FROM %s.naksha_collections(true)")) {
      session.commit();
      if (Thread.currentThread().isInterrupted()) {
        break; // whoever runs it has to end; what is left is due the next time too
      }
      CollectionUpkeep next = new CollectionUpkeep(session, text, options);
      turn.accept(next.id());
      done.add(next.run());
    }
    session.commit();
    return done;
  }
}
