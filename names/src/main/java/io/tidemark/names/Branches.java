// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Branches of a name. A branch knows the one it was made from; how many were made from a branch is
 * counted from the records themselves whenever it matters, and written down for people to see. So a
 * crash between two writes can make the number wrong for a while, never a decision.
 */
public final class Branches {

  /** What became of a branch that was to be dropped. */
  public enum Dropped {
    /** It is gone. */
    GONE,
    /** Branches were made from it: it is retracted, and goes with the last of them. */
    DEFERRED,
    /** It was retracted already, and still has branches. */
    ALREADY_RETRACTED
  }

  /**
   * How a drop ended.
   *
   * @param dropped what became of the branch
   * @param cascaded branches that had been waiting for this one and are gone now too
   */
  public record Drop(Dropped dropped, List<Address> cascaded) {}

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
                .with(Concern.HEAD, Refs.head(start), now)
                .with(empty.meta().withSourceBranch(source.branch())));
    if (!recount(source)) {
      // Somebody purged the source meanwhile: they saw no branch of it, so there is none.
      names.undo(made);
      throw NameService.notFound(source);
    }
    return made;
  }

  private NameRecord ledger(Address address) {
    NameRecord found = names.find(address).orElseThrow(() -> NameService.notFound(address));
    if (found.meta().kind() != Kind.LEDGER) {
      throw new NotFoundException(
          "there is no ledger "
              + address
              + " but a graph source, which has no branches; check the address");
    }
    return found;
  }

  /** The branches of a name that aren't retracted. */
  public List<NameRecord> list(String name) {
    return family(name).stream().filter(record -> !record.meta().retracted()).toList();
  }

  /**
   * Drops a branch: at once if none was made from it, else as soon as the last of those is dropped.
   *
   * @throws RefusedException when it is a root
   */
  public Drop drop(Address address) {
    NameRecord record = ledger(address);
    if (record.meta().sourceBranch().isEmpty()) {
      throw new RefusedException(
          address + " is the root of its branches and can't be dropped; retract or purge it");
    }
    if (countChildren(record.address()) > 0) {
      if (record.meta().retracted()) {
        return new Drop(Dropped.ALREADY_RETRACTED, List.of());
      }
      names.retract(address);
      if (countChildren(record.address()) > 0) {
        return new Drop(Dropped.DEFERRED, List.of());
      }
      // The last of them went before it could see that this one waits for it.
    }
    if (!names.purge(address)) {
      throw NameService.notFound(address);
    }
    return new Drop(Dropped.GONE, cascade(record));
  }

  /** Purges, one after the other, the retracted branches that only waited for this one. */
  private List<Address> cascade(NameRecord gone) {
    List<Address> cascaded = new ArrayList<>();
    Optional<NameRecord> parent = parentOf(gone);
    while (parent.isPresent() && waits(parent.get())) {
      NameRecord record = parent.get();
      if (!names.purge(record.address())) {
        break; // another drop was faster, and goes on from there
      }
      cascaded.add(record.address());
      parent = parentOf(record);
    }
    return cascaded;
  }

  private boolean waits(NameRecord record) {
    return record.meta().retracted()
        && record.meta().sourceBranch().isPresent()
        && countChildren(record.address()) == 0;
  }

  private Optional<NameRecord> parentOf(NameRecord record) {
    return record.meta().sourceBranch().map(record.address()::onBranch).flatMap(names::find);
  }

  void requireNoChildren(NameRecord record) {
    int children = countChildren(record.address());
    if (children > 0) {
      throw new RefusedException(
          record.address() + " still has " + children + " child branch(es); drop those first");
    }
  }

  void recountParent(NameRecord record) {
    parentOf(record).ifPresent(parent -> recount(parent.address()));
  }

  /** Writes down the number of children; false when there is no such record. */
  private boolean recount(Address parent) {
    try {
      // Counted anew in each attempt: who wrote in between may have counted more, or fewer.
      names.edit(parent, record -> record.with(record.meta().withBranches(countChildren(parent))));
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  private int countChildren(Address parent) {
    try (Stream<NameRecord> children = names.branchesOf(parent)) {
      return (int) children.filter(child -> child.meta().kind() == Kind.LEDGER).count();
    }
  }

  /** All branches of a name, retracted ones too. */
  List<NameRecord> family(String name) {
    RecordFilter filter = RecordFilter.all().startingWith(name + ":").ofKind(Kind.LEDGER);
    try (Stream<NameRecord> records = names.list(filter)) {
      return records.toList();
    }
  }
}
