// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.names.watch.NameFeed;
import io.tidemark.server.Holdings;
import io.tidemark.server.ledgers.LedgerSettings;
import java.util.ArrayDeque;
import java.util.Deque;

/** All that goes on beside the requests of a server, until it is closed. */
public final class Upkeep implements AutoCloseable {

  /** What was started last comes first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private Upkeep() {}

  /** Looks after nothing. */
  public static Upkeep none() {
    return new Upkeep();
  }

  /** Starts looking after what a server holds. */
  public static Upkeep start(Holdings holdings, LedgerSettings ledgers, Rhythm rhythm) {
    Upkeep upkeep = new Upkeep();
    try {
      NameFeed feed = upkeep.with(new NameFeed(holdings.names()));
      String holder = "server-" + ProcessHandle.current().pid();
      AutoCloseable unused =
          upkeep.with(
              Caretaker.start(
                  holdings.names(), feed, ledgers.options(), ledgers.places(), holder, rhythm));
      holdings
          .features()
          .ifPresent(
              features -> upkeep.parts.push(FeatureUpkeep.start(features, holdings.names())));
      return upkeep;
    } catch (RuntimeException e) {
      try (upkeep) {
        throw e;
      }
    }
  }

  <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /** Ends all of it, the last started first, whichever of them fails. */
  @Override
  public void close() {
    IllegalStateException failed = new IllegalStateException("what goes on didn't end cleanly");
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        failed.addSuppressed(e);
      }
    }
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}
