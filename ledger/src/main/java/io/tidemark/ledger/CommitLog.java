// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.commit.Cid;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.ChainPrefetcher;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Log of the commits of a branch, in order. Each call reads the head once. */
public final class CommitLog {

  private final Ledger.LedgerComponents ledgerComponents;
  private final ManifestChain manifestChain;

  CommitLog(Ledger.LedgerComponents ledgerComponents) {
    this.ledgerComponents = ledgerComponents;
    this.manifestChain = ledgerComponents.chain();
  }

  /** Returns the id of the newest commit, or empty if there is none. */
  public Optional<Long> head() {
    return base().newest().map(Manifest::commitId);
  }

  /** Returns a commit, or empty if there is none of that id. */
  public Optional<Commit> get(long id) {
    return committed(id).map(Commit::of);
  }

  /**
   * Returns the content id of a commit's manifest, by which the nameservice knows the commit, or
   * empty if there is no such commit.
   */
  public Optional<String> contentId(long id) {
    return link(base(), id)
        .map(Link::path)
        .map(
            path ->
                Cid.ofJson(
                    ledgerComponents
                        .objects()
                        .get(path)
                        .orElseThrow(() -> ledgerComponents.objects().corrupt(path, "is missing"))
                        .bytes()));
  }

  /** Returns the commits after the given id, from the newest back, lazily. */
  public Stream<Commit> newestFirst(long since) {
    return back(base().head().tip().map(this::at), since);
  }

  /** Returns the commits after the given one in commit order, up to a maximum number. */
  public List<Commit> after(long id, int most) {
    PinnedHead pinnedHead = base();
    long newest = Math.min(pinnedHead.head().commitId(), id + most);
    Deque<Commit> commits = new ArrayDeque<>();
    if (newest > id) {
      back(link(pinnedHead, newest).map(this::at), id).forEach(commits::addFirst);
    }
    return List.copyOf(commits);
  }

  /**
   * Returns the commit at which this branch began, which like all before it belongs to the branch
   * too; 0 for main, and for a branch of a ledger without commits.
   */
  public long forkCommitId() {
    return base().head().forked().map(Head.ForkPoint::from).map(Link::commitId).orElse(0L);
  }

  /**
   * Returns the outbox documents of a commit as they were given. Costs a request unless there are
   * none.
   */
  public List<JsonNode> outbox(Commit commit) {
    return commit.outboxSize() == 0
        ? List.of()
        : Manifest.outbox(ledgerComponents.objects(), commit.path());
  }

  private Stream<Commit> back(Optional<CommittedManifest> from, long since) {
    ChainPrefetcher chainPrefetcher = new ChainPrefetcher(manifestChain, since + 1);
    return Stream.iterate(
            from, Optional::isPresent, c -> c.flatMap(commit -> before(commit, chainPrefetcher)))
        .map(Optional::orElseThrow)
        .takeWhile(commit -> commit.manifest().commitId() > since)
        .map(Commit::of);
  }

  private Optional<CommittedManifest> before(
      CommittedManifest commit, ChainPrefetcher chainPrefetcher) {
    Manifest manifest = commit.manifest();
    chainPrefetcher.beforeStep(manifest, manifest.commitId() - 1);
    return manifestChain
        .parent(manifest)
        .map(parent -> new CommittedManifest(parent, manifest.parent().orElseThrow().path()));
  }

  /**
   * Returns the types of which {@link #changes} reports nothing for a commit, since a later commit
   * dropped them with their history and their files are deleted; each with that commit.
   */
  public SortedMap<TypeId, Long> purged(long id) {
    return committed(id)
        .map(found -> new CommitChangeReader(ledgerComponents, base(), found.manifest()).purged())
        .orElseGet(TreeMap::new);
  }

  /**
   * Passes on the changes of a commit, type by type, in the order of the identities.
   *
   * @return false when there is no such commit
   */
  public boolean changes(long id, Consumer<IdentityChange> consumer) {
    Optional<Manifest> manifest = committed(id).map(CommittedManifest::manifest);
    manifest.ifPresent(
        found -> new CommitChangeReader(ledgerComponents, base(), found).forEach(consumer));
    return manifest.isPresent();
  }

  private Optional<CommittedManifest> committed(long id) {
    return link(base(), id).map(this::at);
  }

  private Optional<Link> link(PinnedHead pinnedHead, long id) {
    return pinnedHead
        .head()
        .tip()
        .filter(tip -> id >= 1 && id <= tip.commitId())
        .map(tip -> new Lineage(manifestChain, tip).at(id));
  }

  private CommittedManifest at(Link link) {
    return new CommittedManifest(manifestChain.at(link), link.path());
  }

  private PinnedHead base() {
    return ledgerComponents.heads().refresh();
  }
}
