// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.remotes.Outcome;
import java.util.Optional;

/**
 * Moves a name that has no ledger behind it, or a graph source: by {@code t} and payload, since the
 * history behind them can't be read. A head moves only if it is newer, a push only if the target is
 * where it was last seen. Payloads of both heads are carried whole.
 */
record NameTransfer(Direction direction, End from, End to) {

  private static final int TRIES = 3;

  /**
   * Runs the transfer.
   *
   * @param known where the target was when it was last looked at
   */
  Outcome run(NameRecord source, Optional<Ref> known) {
    Ref next = ref(source);
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
      there = ref(target.get());
      if (head(target.get()).equals(head(source))) {
        carryIndex(source);
        return direction.upToDate(next, there);
      }
      if (direction == Direction.PUSH && !known.orElse(Ref.UNBORN).equals(there)) {
        return direction.rejected(next, there);
      }
      if (!isNewer(source, target.get())) {
        return direction.diverged(next, there, Optional.empty());
      }
      if (moved(source, target.get())) {
        carryIndex(source);
        return new Outcome.FastForwarded(there, next, 0, 0);
      }
    }
    return direction.rejected(next, there);
  }

  /** The concern that a record moves by; a graph source has only an index. */
  private static Concern mover(NameRecord record) {
    return record.meta().kind() == Kind.LEDGER ? Concern.HEAD : Concern.INDEX;
  }

  private static ConcernValue head(NameRecord record) {
    return record.concern(mover(record));
  }

  private static Ref ref(NameRecord record) {
    return record.meta().kind() == Kind.LEDGER ? record.commit() : record.indexed();
  }

  private static boolean isNewer(NameRecord source, NameRecord target) {
    return mover(source) == Concern.INDEX
        ? IndexHead.isNewer(source.index(), target.index())
        : source.head().watermark() > target.head().watermark();
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
      NameRecord made =
          names
              .graphSources()
              .publish(
                  address,
                  source.meta().sourceType().orElseThrow(),
                  config,
                  source.meta().dependencies());
      return source.index().isUnborn() || moved(source, made);
    }
    boolean made = true;
    if (source.head().isUnborn()) {
      names.create(address);
    } else {
      made = names.push(address, Concern.HEAD, Optional.empty(), source.head()).updated();
    }
    if (made) {
      carryIndex(source);
    }
    return made;
  }

  private boolean moved(NameRecord source, NameRecord target) {
    return to.names()
        .push(to.address(), mover(source), Optional.of(head(target)), head(source))
        .updated();
  }

  private void carryIndex(NameRecord source) {
    if (source.meta().kind() == Kind.LEDGER) {
      IndexHead.carry(source, to);
    }
  }
}
