// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.commit.CommitPublisher.PublishedCommit;
import io.tidemark.ledger.internal.catalog.Catalog.Finding;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.Register.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Check and repair of everything that follows commits: the indices and the nameservice. Readers get
 * correct results in either case.
 */
public final class IndexMaintenance {

  private final Ledger.LedgerComponents ledgerComponents;
  private final TypeFileResolver files;

  IndexMaintenance(Ledger.LedgerComponents ledgerComponents) {
    this.ledgerComponents = ledgerComponents;
    this.files = new TypeFileResolver(ledgerComponents.objects(), ledgerComponents.chain());
  }

  /** Depth of a check. */
  public enum Depth {
    /** Checks the watermark and the newest commit. */
    NEWEST,
    /** Checks every commit and every snapshot, which reads the whole chain and all snapshots. */
    EVERY_COMMIT
  }

  /**
   * Result of a check.
   *
   * @param head the newest commit; 0 when there is none
   * @param lagged types whose index doesn't cover the last commit that touched them
   * @param missingLatest types of the newest commit that the index has otherwise or not at all
   * @param holes types whose index leaves out or gets wrong some other commit, or has a snapshot
   *     that doesn't hold the rows of its commits
   * @param misnamed the commit that the nameservice takes for the newest, if it isn't; the number
   *     of the newest commit if the nameservice has another commit of that number
   * @param catalog what is wrong with the documents of the types, if every commit was looked at
   */
  public record Report(
      long head,
      SortedSet<TypeId> lagged,
      SortedSet<TypeId> missingLatest,
      SortedSet<TypeId> holes,
      OptionalLong misnamed,
      List<Finding> catalog) {

    /**
     * Returns whether nothing is wrong. A stale name is no fault: programs without a nameservice
     * leave it behind with each of their commits, and the next writer with a nameservice advances
     * it.
     */
    public boolean ok() {
      return broken().isEmpty() && (misnamed.isEmpty() || isNameStale()) && catalog.isEmpty();
    }

    /** Returns whether the nameservice takes an earlier commit for the newest. */
    public boolean isNameStale() {
      return misnamed.isPresent() && misnamed.getAsLong() < head;
    }

    /** Returns the types whose index has to be written. */
    public SortedSet<TypeId> broken() {
      SortedSet<TypeId> all = new TreeSet<>(lagged);
      all.addAll(missingLatest);
      all.addAll(holes);
      return all;
    }
  }

  /** Returns the report of a check, which changes nothing. */
  public Report verify(Depth depth) {
    return verify(ledgerComponents.heads().refresh(), depth);
  }

  /**
   * Returns the commit of a name that doesn't match the head. The head is read before the name and,
   * if the name is ahead, again, so that a head that is just moving isn't reported.
   */
  OptionalLong mismatchedName(long head) {
    Optional<PublishedCommit> published =
        ledgerComponents.options().publisher().latest(ledgerComponents.objects().branch());
    if (published.isEmpty()) {
      return OptionalLong.empty();
    }
    long said = published.get().commitId();
    boolean isSo =
        said == head
            ? !new CommitLog(ledgerComponents).contentId(head).equals(published.get().manifestId())
            : said < head || said > ledgerComponents.heads().refresh().head().commitId();
    return isSo ? OptionalLong.of(said) : OptionalLong.empty();
  }

  private Report verify(PinnedHead pinnedHead, Depth depth) {
    long head = pinnedHead.head().commitId();
    List<Finding> catalog =
        depth == Depth.EVERY_COMMIT ? ledgerComponents.catalog().check(pinnedHead) : List.of();
    Report report =
        new Report(
            head, new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), mismatchedName(head), catalog);
    if (pinnedHead.newest().isEmpty()) {
      return report;
    }
    Manifest newest = pinnedHead.newest().get();
    for (TypeId type : ledgerComponents.catalog().types(pinnedHead)) {
      TypeIndex index = index(type, pinnedHead);
      Optional<DataFile> latest = newest.file(type);
      if (index.maxIndexedCommit() < newest.lastTouch(type)) {
        report.lagged().add(type);
      } else if (latest.isPresent() && !has(index, newest.commitId(), latest.get().path())) {
        report.missingLatest().add(type);
      } else if (depth == Depth.EVERY_COMMIT && hasHole(index, newest)) {
        report.holes().add(type);
      }
    }
    return report;
  }

  private TypeIndex index(TypeId type, PinnedHead pinnedHead) {
    Optional<String> epoch = pinnedHead.head().epoch();
    return files.index(type, epoch).orElse(TypeIndex.none(type, epoch));
  }

  private static boolean has(TypeIndex index, long commitId, String path) {
    return index.entries().stream()
        .anyMatch(
            entry ->
                entry.min() <= commitId
                    && commitId <= entry.max()
                    && (entry.min() < entry.max() || entry.path().equals(path)));
  }

  private boolean hasHole(TypeIndex index, Manifest newest) {
    List<Entry> truth = files.gap(newest, index.type(), 0);
    boolean missing = truth.stream().anyMatch(e -> !has(index, e.min(), e.path()));
    boolean invented =
        index.entries().stream()
            .filter(Entry::isOfOneCommit)
            .anyMatch(entry -> truth.stream().noneMatch(e -> e.path().equals(entry.path())));
    SnapshotCheck snapshots = new SnapshotCheck(ledgerComponents.objects(), index.type(), truth);
    return missing
        || invented
        || index.entries().stream()
            .anyMatch(entry -> !entry.isOfOneCommit() && !snapshots.matchesContent(entry));
  }

  /**
   * Result of a repair, planned or done.
   *
   * @param misnamed the commit that the nameservice takes or took for the newest, if it isn't
   * @param catalog what is or was wrong with the documents of the types, and can be made good
   */
  public record Repair(
      long head, SortedSet<TypeId> types, OptionalLong misnamed, List<Finding> catalog) {
    private Repair(Report found) {
      this(
          found.head(),
          found.broken(),
          found.misnamed(),
          found.catalog().stream().filter(Finding::mendable).toList());
    }

    public boolean isEmpty() {
      return types.isEmpty() && misnamed.isEmpty() && catalog.isEmpty();
    }
  }

  /**
   * Fails if the head is behind the newest commit that the nameservice knows; an operator then has
   * to decide on the remedy.
   */
  public void requireNotRewound() {
    long head = ledgerComponents.heads().refresh().head().commitId();
    OptionalLong named = mismatchedName(head);
    if (named.isPresent() && named.getAsLong() > head) {
      throw new RewoundHeadException(
          ledgerComponents.objects().location(), head, named.getAsLong());
    }
  }

  /** Returns the result that {@link #repair} would have. */
  public Repair planRepair(Depth depth) {
    return new Repair(verify(depth));
  }

  /**
   * Rewrites each damaged index under the lock. Snapshots that fit the chain stay. Repairs whatever
   * else a writer that died left behind the chain: removes dropped types from the list of types,
   * and tells the nameservice of the newest commit.
   */
  public Repair repair(Depth depth) {
    ledgerComponents.protocol().flush(); // or our own commits might write an index at the same time
    return ledgerComponents
        .protocol()
        .underLock(
            pinnedHead -> {
              Report report = verify(pinnedHead, depth);
              report.broken().forEach(type -> rebuild(type, pinnedHead, depth));
              ledgerComponents.catalog().applyDrops(pinnedHead);
              report.misnamed().ifPresent(published -> rename(pinnedHead, published));
              Repair repair = new Repair(report);
              if (!repair.catalog().isEmpty()) {
                ledgerComponents.catalog().restore(pinnedHead);
              }
              return repair;
            });
  }

  /**
   * Under the lock no other writer moves the head, so a name that is ahead of it, or at another
   * commit of the same number, is wrong.
   */
  private void rename(PinnedHead pinnedHead, long published) {
    long head = pinnedHead.head().commitId();
    Optional<String> manifestId = new CommitLog(ledgerComponents).contentId(head);
    if (published >= head) {
      ledgerComponents.options().publisher().rewind(head, manifestId);
    } else {
      ledgerComponents.options().publisher().publish(head, manifestId.orElseThrow());
    }
  }

  private void rebuild(TypeId type, PinnedHead pinnedHead, Depth depth) {
    Manifest newest = pinnedHead.newest().orElseThrow();
    Optional<String> epoch = pinnedHead.head().epoch();
    List<Entry> truth = files.gap(newest, type, 0);
    State<TypeIndex> unused =
        ledgerComponents
            .objects()
            .register(
                LedgerLayout.index(type), TypeIndex.format(type, epoch, UnaryOperator.identity()))
            .update(
                seen -> {
                  TypeIndex before = seen.value().orElseGet(() -> TypeIndex.none(type, epoch));
                  List<Entry> snapshots = soundSnapshots(before, truth, depth);
                  return Optional.of(
                      new TypeIndex(type, 0, snapshots, epoch, before.rest())
                          .with(truth, newest.commitId()));
                });
  }

  private List<Entry> soundSnapshots(TypeIndex before, List<Entry> truth, Depth depth) {
    SnapshotCheck check = new SnapshotCheck(ledgerComponents.objects(), before.type(), truth);
    return before.entries().stream()
        .filter(entry -> !entry.isOfOneCommit())
        .filter(
            entry ->
                depth == Depth.EVERY_COMMIT
                    ? check.matchesContent(entry)
                    : check.matchesEntries(entry))
        .toList();
  }
}
