// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Branches of a name. A branch knows the one it was made from; how many were made from a branch is
 * counted from the records themselves whenever it matters, and written down for people to see. So a
 * crash between two writes can make the number wrong for a while, never a decision.
 */
public final class Branches {

  /** Outcome of dropping a branch. */
  public enum DropOutcome {
    /** The branch was removed. */
    GONE,
    /** Branches were made from it: it is retracted, and goes with the last of them. */
    DEFERRED,
    /** The branch was retracted already, and still has branches. */
    ALREADY_RETRACTED
  }

  /**
   * Result of a drop.
   *
   * @param dropped the outcome for the branch
   * @param cascaded branches that had been waiting for this one and are gone now too
   * @param retracted retracted branches of which this drop took the last branch, and that stay
   *     since nothing says that they are to be dropped; see {@link UnfinishedDrops#retracted}
   */
  public record DropResult(DropOutcome dropped, List<Address> cascaded, List<Address> retracted) {

    public DropResult {
      cascaded = List.copyOf(cascaded);
      retracted = List.copyOf(retracted);
    }

    /** Creates the result of a drop that left no retracted branch without branches. */
    public DropResult(DropOutcome dropped, List<Address> cascaded) {
      this(dropped, cascaded, List.of());
    }
  }

  private final NameService names;

  Branches(NameService names) {
    this.names = names;
  }

  /**
   * Makes a branch.
   *
   * @param at the commit to start from; empty for the source's head
   */
  public NameRecord create(Address source, String branch, Optional<Ref> at) {
    Address target = source.onBranch(branch);
    at.ifPresent(ref -> Ledgers.requireWhole(target, Concern.HEAD, ref));
    NameRecord from = ledger(source);
    names.requireLive(from);
    Ref start = at.orElse(from.commit());
    if (start.id().isEmpty()) {
      throw new RefusedException(source + " has no commit to branch from; commit to it first");
    }
    long now = names.nowMs();
    NameRecord empty = NameRecord.newLedger(target, now);
    NameRecord made =
        names.create(
            empty
                .with(Concern.HEAD, RefCodec.headValue(start), now)
                .withMeta(empty.meta().withSourceBranch(Optional.of(source.branch()))));
    if (!countNewChild(source)) {
      // Another process purged the source meanwhile: it saw no branch of it, so there is none.
      Optional<EditResult> unused = names.edit(target, new EditRequest.Undo(made));
      throw NameService.notFound(source);
    }
    return made;
  }

  private NameRecord ledger(Address address) {
    return requireLedger(names.find(address).orElseThrow(() -> NameService.notFound(address)));
  }

  private static NameRecord requireLedger(NameRecord found) {
    if (found.meta().kind() != RecordKind.LEDGER) {
      throw new NotFoundException(
          "there is no ledger "
              + found.address()
              + " but a graph source, which has no branches; check the address");
    }
    return found;
  }

  /** Returns the branches of a name that aren't retracted. */
  public List<NameRecord> list(String name) {
    return allBranches(name).stream().filter(record -> !record.meta().retracted()).toList();
  }

  /**
   * Drops a branch: at once if none was made from it, else as soon as the last of those is dropped.
   * A drop that was broken off is finished by doing it again.
   *
   * @throws RefusedException when it is a root
   */
  public DropResult drop(Address address) {
    Optional<NameRecord> found = names.find(address);
    if (found.isEmpty()) {
      List<Address> cascaded = finishDrops(address.name());
      if (cascaded.isEmpty()) {
        throw NameService.notFound(address);
      }
      return new DropResult(DropOutcome.GONE, cascaded);
    }
    NameRecord record = requireLedger(found.get());
    if (record.meta().sourceBranch().isEmpty()) {
      throw new RefusedException(
          address + " is the root of its branches and can't be dropped; retract or purge it");
    }
    if (countChildren(address) > 0) {
      NameRecord unused =
          names.editExisting(
              address, new EditRequest.Retract(names.nowMs(), EditRequest.Purpose.DROP));
      if (countChildren(address) > 0) {
        boolean before = record.meta().retracted();
        return new DropResult(
            before ? DropOutcome.ALREADY_RETRACTED : DropOutcome.DEFERRED, List.of());
      }
      // The last of them went before it could see that this one waits for it.
    }
    if (names.edit(address, new EditRequest.Purge()).isEmpty()) {
      throw NameService.notFound(address);
    }
    // The listing may lag behind: it may still have the branch, and not yet its source.
    List<NameRecord> others =
        allBranches(address.name()).stream().filter(r -> !r.address().equals(address)).toList();
    Optional<Address> source = record.meta().sourceBranch().map(address::onBranch);
    if (others.stream().noneMatch(other -> source.equals(Optional.of(other.address())))) {
      recountParent(record);
    }
    BranchPurge purge = new BranchPurge(names, others);
    List<Address> cascaded = finishDrops(purge);
    return new DropResult(
        DropOutcome.GONE, cascaded, retracted(record, cascaded, others, purge.remaining()));
  }

  /** Returns the retracted branches that were sources of what is gone now. */
  private static List<Address> retracted(
      NameRecord dropped, List<Address> cascaded, List<NameRecord> others, List<NameRecord> left) {
    Set<String> sources =
        Stream.concat(
                Stream.of(dropped),
                others.stream().filter(record -> cascaded.contains(record.address())))
            .flatMap(record -> record.meta().sourceBranch().stream())
            .collect(Collectors.toSet());
    return UnfinishedDrops.of(left).retracted().stream()
        .filter(address -> sources.contains(address.branch()))
        .toList();
  }

  /**
   * Finishes drops and creations of branches of a name that were deferred or interrupted. Purges
   * retracted branches that have no branches of their own any more, and corrects the counts of
   * branches.
   *
   * @return the branches that were purged
   */
  public List<Address> finishDrops(String name) {
    return finishDrops(new BranchPurge(names, allBranches(name)));
  }

  private List<Address> finishDrops(BranchPurge purge) {
    List<Address> gone = purge.purgeDeferred();
    UnfinishedDrops.of(purge.remaining()).miscounted().forEach(this::recount);
    return gone;
  }

  /** Returns what drops of branches of a name have left to be done. */
  public UnfinishedDrops unfinished(String name) {
    return UnfinishedDrops.of(allBranches(name));
  }

  void requireNoChildren(NameRecord record) {
    int children = countChildren(record.address());
    if (children > 0) {
      throw new RefusedException(
          record.address() + " still has " + children + " child branch(es); drop those first");
    }
  }

  void recountParent(NameRecord record) {
    record.meta().sourceBranch().map(record.address()::onBranch).ifPresent(this::recount);
  }

  /** Writes down the number of children, if it is another. */
  private void recount(Address parent) {
    Optional<EditResult> unused =
        names.edit(parent, new EditRequest.CountBranches(Optional.empty()));
  }

  /** Counts a branch that was just created; false when there is no such record. */
  private boolean countNewChild(Address parent) {
    return names
        .edit(parent, new EditRequest.CountBranches(Optional.of(names.nowMs())))
        .isPresent();
  }

  int countChildren(Address parent) {
    try (Stream<NameRecord> children = names.branchesOf(parent)) {
      return (int) children.filter(child -> child.meta().kind() == RecordKind.LEDGER).count();
    }
  }

  /** Returns all branches of a name, retracted ones too. */
  List<NameRecord> allBranches(String name) {
    RecordFilter filter = RecordFilter.all().startingWith(name + ":").ofKind(RecordKind.LEDGER);
    try (Stream<NameRecord> records = names.list(filter)) {
      return records.toList();
    }
  }
}
