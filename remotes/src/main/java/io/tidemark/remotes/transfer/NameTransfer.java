// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import io.tidemark.remotes.Outcome;
import java.util.Optional;

/**
 * Moves a name that has no ledger behind it, or a graph source: by {@code t} and id, since nobody
 * can tell what is behind them. A head moves only if it is newer, a push only if it is known what
 * it replaces. Both heads come along.
 */
record NameTransfer(Direction direction, End from, End to) {

  private static final int TRIES = 3;

  /**
   * Does it.
   *
   * @param known where the target was when somebody looked last
   */
  Outcome run(NameRecord source, Optional<Ref> known) {
    Ref next = head(source);
    Ref there = Ref.UNBORN;
    for (int i = 0; i < TRIES; i++) {
      Optional<NameRecord> target = to.record();
      if (target.isEmpty()) {
        if (created(source)) {
          return new Outcome.Created(next, 0, 0);
        }
        continue; // by another, just now
      }
      requireSameKind(source, target.get());
      there = head(target.get());
      if (there.equals(next)) {
        carryIndex(source);
        return direction.upToDate(next, there);
      }
      if (direction == Direction.PUSH && !known.orElse(Ref.UNBORN).equals(there)) {
        return direction.rejected(next, there);
      }
      if (next.t() <= there.t()) {
        return direction.diverged(next, there, Optional.empty());
      }
      if (moved(source, there)) {
        carryIndex(source);
        return new Outcome.FastForwarded(there, next, 0, 0);
      }
    }
    return direction.rejected(next, there);
  }

  /** A graph source has only one. */
  private static Ref head(NameRecord record) {
    return record.meta().kind() == Kind.LEDGER ? record.commit() : record.indexed();
  }

  private void requireSameKind(NameRecord source, NameRecord target) {
    if (source.meta().kind() != target.meta().kind()) {
      throw new AlreadyExistsException(
          to.address()
              + " in "
              + to.names().location()
              + " is a "
              + word(target)
              + ", and what is to be moved there a "
              + word(source)
              + "; give one of them another name");
    }
  }

  private static String word(NameRecord record) {
    return record.meta().kind() == Kind.LEDGER ? "ledger" : "graph source";
  }

  /** False when there is one already. */
  private boolean created(NameRecord source) {
    NameService names = to.names();
    Address address = to.address();
    if (source.meta().kind() == Kind.GRAPH_SOURCE) {
      Payload config = source.config().payload().orElseGet(() -> Payload.parse("{}"));
      names
          .graphSources()
          .publish(
              address,
              source.meta().sourceType().orElseThrow(),
              config,
              source.meta().dependencies());
      source.indexed().id().ifPresent(id -> publishIndex(source));
      return true;
    }
    if (source.commit().id().isEmpty()) {
      names.create(address);
      return true;
    }
    boolean made =
        names.ledgers().compareAndSetCommit(address, Optional.empty(), source.commit()).updated();
    if (made) {
      carryIndex(source);
    }
    return made;
  }

  private boolean moved(NameRecord source, Ref there) {
    return source.meta().kind() == Kind.GRAPH_SOURCE
        ? publishIndex(source).updated()
        : to.names()
            .ledgers()
            .compareAndSetCommit(to.address(), Optional.of(there), source.commit())
            .updated();
  }

  private PushResult publishIndex(NameRecord source) {
    return to.names().graphSources().publishIndex(to.address(), source.indexed());
  }

  private void carryIndex(NameRecord source) {
    if (source.meta().kind() == Kind.LEDGER) {
      IndexHead.carry(source, to);
    }
  }
}
