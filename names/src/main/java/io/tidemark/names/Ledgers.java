// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.Retry;
import java.util.List;
import java.util.Optional;

/** The operations on ledgers, by name; each is one step of the generic core. */
public final class Ledgers {

  /** Both heads of a ledger. */
  public record Heads(Ref commit, Ref index) {}

  private final NameService names;

  Ledgers(NameService names) {
    this.names = names;
  }

  /** Returns the record of a ledger; empty when there is none, or it is a graph source. */
  public Optional<NameRecord> find(Address address) {
    return names.find(address).filter(record -> record.meta().kind() == RecordKind.LEDGER);
  }

  /** Returns both heads; empty when there is no such ledger. */
  public Optional<Heads> heads(Address address) {
    return find(address).map(record -> new Heads(record.commit(), record.indexed()));
  }

  /** Moves the head to a commit, if it is newer; a conflict says that it isn't. */
  public PushResult publishCommit(Address address, Ref commit) {
    return names.advance(address, Concern.HEAD, RefCodec.headValue(commit));
  }

  /**
   * Moves the head to a commit that is newer, wherever the head is and however often other writers
   * move it meanwhile. An alias of {@link #publishCommit}.
   */
  public PushResult fastForward(Address address, Ref commit) {
    return publishCommit(address, commit);
  }

  /** Publishes an index, if it is newer; a conflict says that it isn't. */
  public PushResult publishIndex(Address address, Ref index) {
    return publishIndex(address, index, ConcernChange.Bound.NEWER);
  }

  /** Publishes an index, also when it was rebuilt at the same {@code t}. */
  public PushResult publishIndexAllowEqual(Address address, Ref index) {
    return publishIndex(address, index, ConcernChange.Bound.NEWER_OR_EQUAL);
  }

  private PushResult publishIndex(Address address, Ref index, ConcernChange.Bound bound) {
    requireWhole(address, Concern.INDEX, index);
    // The payload keeps what it says of other graphs, so it is pushed onto what was read.
    Retry.Backoff backoff = names.startRetry();
    while (true) {
      NameRecord record =
          find(address).orElseThrow(() -> names.notFound(address, RecordKind.LEDGER));
      names.requireLive(record);
      ConcernValue next = RefCodec.indexValue(RecordKind.LEDGER, index, record.index());
      if (!new ConcernChange.Advance(Concern.INDEX, next, bound).allows(record.index())) {
        return new PushResult.Conflict(Optional.of(record.index()));
      }
      PushResult result = names.push(address, Concern.INDEX, Optional.of(record.index()), next);
      if (result.updated()) {
        return result;
      }
      ContentionException.pauseOrGiveUp(backoff, address);
    }
  }

  /** Refuses a {@code t} without an id, and an id that can't be stored everywhere. */
  static void requireWhole(Address address, Concern concern, Ref ref) {
    if (ref.id().isEmpty()) {
      throw new InvalidPayloadException(
          "the " + concern.text() + " of " + address + " at t " + ref.t() + " needs an id");
    }
    NameService.requireUnicode(address, concern.text(), List.of(ref.id().get()));
  }

  /**
   * Compare-and-set of the head. Only its id and its {@code t} are compared, not other fields of
   * the payload.
   *
   * @param expected the head that the caller knows; empty to create the ledger with this head
   */
  public PushResult compareAndSetCommit(Address address, Optional<Ref> expected, Ref next) {
    ConcernValue head = RefCodec.headValue(next);
    PushResult result = names.push(address, Concern.HEAD, expected.map(RefCodec::headValue), head);
    Retry.Backoff backoff = names.startRetry();
    while (expected.isPresent()
        && result instanceof PushResult.Conflict conflict
        && conflict.actual().map(RefCodec::headRef).equals(expected)
        && next.t() > expected.get().t()) {
      result = names.push(address, Concern.HEAD, conflict.actual(), head);
      if (!result.updated()) {
        ContentionException.pauseOrGiveUp(backoff, address);
      }
    }
    return result;
  }

  /**
   * Compare-and-set of the payload of a head that stays at its commit. A push can't do that, since
   * it needs a later {@code t}.
   *
   * @param expected the head that the caller knows
   * @param next a head of the same commit, which says more
   */
  public PushResult extendHead(Address address, ConcernValue expected, ConcernValue next) {
    Optional<EditResult> edited =
        names.edit(address, new EditRequest.ExtendHead(names.nowMs(), expected, next));
    if (edited.isEmpty() && names.find(address).isPresent()) {
      throw names.notFound(address, RecordKind.LEDGER); // as a server says of a graph source
    }
    Optional<ConcernValue> found = edited.map(done -> done.before().head());
    return found.equals(Optional.of(expected))
        ? new PushResult.Updated(next)
        : new PushResult.Conflict(found);
  }

  /**
   * Compare-and-set of the index of the default graph. Its id and its {@code t} are compared; what
   * is said of other graphs stays.
   *
   * @param expected the index that the caller knows; empty to create the ledger with this index
   * @param next an index at the same {@code t} or a later one
   */
  public PushResult compareAndSetIndex(Address address, Optional<Ref> expected, Ref next) {
    requireWhole(address, Concern.INDEX, next);
    if (expected.isEmpty()) {
      ConcernValue first = RefCodec.indexValue(RecordKind.LEDGER, next, ConcernValue.UNBORN);
      return names.push(address, Concern.INDEX, Optional.empty(), first);
    }
    Retry.Backoff backoff = names.startRetry();
    while (true) {
      Optional<NameRecord> record = find(address);
      if (record.isEmpty()) {
        return new PushResult.Conflict(Optional.empty());
      }
      names.requireLive(record.get());
      ConcernValue index = record.get().index();
      if (!record.get().indexed().equals(expected.get()) || next.t() < index.watermark()) {
        return new PushResult.Conflict(Optional.of(index));
      }
      ConcernValue moved = RefCodec.indexValue(RecordKind.LEDGER, next, index);
      PushResult result = names.push(address, Concern.INDEX, Optional.of(index), moved);
      if (result.updated()) {
        return result;
      }
      ContentionException.pauseOrGiveUp(backoff, address);
    }
  }

  /**
   * Drops a ledger with all its branches, the leaves first.
   *
   * @param name the name alone
   * @throws NotFoundException when there is no such ledger
   * @throws RefusedException when a branch is named
   */
  public LedgerDropResult drop(String name, DropMode mode) {
    if (name.indexOf(':') >= 0) {
      throw new RefusedException(
          name
              + " is one branch; to drop the ledger with all its branches give its name alone, to"
              + " drop this one drop the branch");
    }
    return new LedgerDropper(names, new Address(name, Address.MAIN).name()).drop(mode);
  }

  /**
   * Sets the head, backwards too; for undoing what went wrong. What is indexed stays, other graphs
   * included, unless it is of a newer commit.
   *
   * @param commit unborn for a ledger without commits
   */
  public NameRecord resetCommit(Address address, Ref commit) {
    return reset(address, new EditRequest.Reset(names.nowMs(), commit, Optional.empty()));
  }

  /** Sets both heads, backwards too; for undoing what went wrong. */
  public NameRecord reset(Address address, Heads heads) {
    return reset(
        address, new EditRequest.Reset(names.nowMs(), heads.commit(), Optional.of(heads.index())));
  }

  private NameRecord reset(Address address, EditRequest.Reset reset) {
    return names
        .edit(address, reset)
        .flatMap(EditResult::after)
        .orElseThrow(() -> names.notFound(address, RecordKind.LEDGER));
  }
}
