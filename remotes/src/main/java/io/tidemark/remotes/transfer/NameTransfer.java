// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Transfer of a name that has no ledger behind it, or of a graph source: by {@code t} and payload,
 * since the history behind them can't be read. A head moves only if it is newer, a push only if the
 * target is where it was last seen. Payloads of both heads are carried whole.
 */
record NameTransfer(Direction direction, TransferEndpoint from, TransferEndpoint to) {

  private static final int TRIES = 3;

  /**
   * Runs the transfer.
   *
   * @param known whether the target is where it was when it was last looked at
   */
  RecordTransferResult run(NameRecord source, Predicate<NameRecord> known) {
    Ref next = ref(source);
    Ref there = Ref.UNBORN;
    for (int i = 0; i < TRIES; i++) {
      Optional<NameRecord> target = to.record();
      if (target.isEmpty()) {
        Optional<NameRecord> made = created(source);
        if (made.isPresent()) {
          return ended(new TransferOutcome.Created(next, 0, 0), source, made.get());
        }
        continue; // by another, just now
      }
      requireSameKind(source, target.get());
      there = ref(target.get());
      if (hasAll(target.get(), source)) {
        return ended(direction.upToDate(next, there), source, withIndex(source, target.get()));
      }
      if (direction == Direction.PUSH && !isKnown(target.get(), known)) {
        return RecordTransferResult.ofOutcome(direction.rejected(next, there));
      }
      if (isExtended(source, target.get())) {
        if (HeadPayloadTransfer.tryAdd(source, target.get(), to)) {
          NameRecord extended = withHead(target.get(), source.head());
          return ended(direction.upToDate(next, there), source, withIndex(source, extended));
        }
        continue;
      }
      if (!isNewer(source, target.get())) {
        return ended(direction.diverged(next, there, Optional.empty()), source, target.get());
      }
      if (moved(source, target.get())) {
        NameRecord now = withMovedConcern(target.get(), source);
        return ended(
            new TransferOutcome.FastForwarded(there, next, 0, 0), source, withIndex(source, now));
      }
    }
    return RecordTransferResult.ofOutcome(direction.rejected(next, there));
  }

  /** Returns a result with the record on the remote: the source of a pull, the target of a push. */
  private RecordTransferResult ended(
      TransferOutcome transferOutcome, NameRecord source, NameRecord target) {
    return new RecordTransferResult(
        transferOutcome, Optional.of(direction == Direction.PUSH ? target : source));
  }

  /**
   * Returns whether a target is where it was last seen. A record without a head always is, since a
   * push onto it loses nothing.
   */
  private static boolean isKnown(NameRecord target, Predicate<NameRecord> known) {
    return ref(target).equals(Ref.UNBORN) || known.test(target);
  }

  private static boolean hasAll(NameRecord target, NameRecord source) {
    return head(target).equals(head(source))
        || (movedConcern(source) == Concern.HEAD
            && HeadPayloadTransfer.include(target.head(), source.head()));
  }

  /** Returns whether the source says all that the target says of the same commit, and more. */
  private static boolean isExtended(NameRecord source, NameRecord target) {
    return movedConcern(source) == Concern.HEAD
        && HeadPayloadTransfer.include(source.head(), target.head());
  }

  private static NameRecord withHead(NameRecord record, ConcernValue head) {
    return RecordTransferResult.moved(record, head, record.index());
  }

  private static NameRecord withMovedConcern(NameRecord target, NameRecord source) {
    return movedConcern(source) == Concern.HEAD
        ? withHead(target, source.head())
        : RecordTransferResult.moved(target, target.head(), source.index());
  }

  /** Carries the index of a ledger; returns the target with the index that it has then. */
  private NameRecord withIndex(NameRecord source, NameRecord target) {
    return source.meta().kind() == RecordKind.LEDGER
        ? RecordTransferResult.moved(
            target, target.head(), IndexTransfer.transfer(source, target, to))
        : target;
  }

  /** Returns the concern that a record moves by; a graph source has only an index. */
  private static Concern movedConcern(NameRecord record) {
    return record.meta().kind() == RecordKind.LEDGER ? Concern.HEAD : Concern.INDEX;
  }

  private static ConcernValue head(NameRecord record) {
    return record.concern(movedConcern(record));
  }

  private static Ref ref(NameRecord record) {
    return record.meta().kind() == RecordKind.LEDGER ? record.commit() : record.indexed();
  }

  private static boolean isNewer(NameRecord source, NameRecord target) {
    return movedConcern(source) == Concern.INDEX
        ? IndexTransfer.isNewer(source.index(), target.index())
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
    return record.meta().kind() == RecordKind.LEDGER ? "ledger" : "graph source";
  }

  /** Returns what was made; empty when there is one already. */
  private Optional<NameRecord> created(NameRecord source) {
    NameService names = to.names();
    Address address = to.address();
    if (source.meta().kind() == RecordKind.GRAPH_SOURCE) {
      Payload config = source.config().payload().orElseGet(() -> Payload.parse("{}"));
      NameRecord made =
          names
              .graphSources()
              .publish(
                  address,
                  source.meta().sourceType().orElseThrow(),
                  config,
                  source.meta().dependencies());
      return source.index().isUnborn() || moved(source, made)
          ? Optional.of(withMovedConcern(made, source))
          : Optional.empty();
    }
    NameRecord made = source.withAddress(address).withIndex(ConcernValue.UNBORN);
    if (source.head().isUnborn()) {
      names.create(address);
    } else if (!names.push(address, Concern.HEAD, Optional.empty(), source.head()).updated()) {
      return Optional.empty();
    }
    return Optional.of(withIndex(source, made));
  }

  private boolean moved(NameRecord source, NameRecord target) {
    return to.names()
        .push(to.address(), movedConcern(source), Optional.of(head(target)), head(source))
        .updated();
  }
}
