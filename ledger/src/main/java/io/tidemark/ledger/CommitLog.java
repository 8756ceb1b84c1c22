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

/** What has been committed, in the order in which it was. Each call looks at the head once. */
public final class CommitLog {

  private final Ledger.LedgerComponents ledgerComponents;
  private final ManifestChain manifestChain;

  CommitLog(Ledger.LedgerComponents ledgerComponents) {
    this.ledgerComponents = ledgerComponents;
    this.manifestChain = ledgerComponents.chain();
  }

  /** The id of the newest commit; empty when there is none. */
  public Optional<Long> head() {
    return base().newest().map(Manifest::commitId);
  }

  /** A commit; empty when there is none of that id. */
  public Optional<Commit> get(long id) {
    return committed(id).map(Commit::of);
  }

  /**
   * The content id of what a commit says of itself, by which the nameservice knows it; empty when
   * there is no such commit.
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

  /** Commits from the newest back, lazily; those after the given id only. */
  public Stream<Commit> newestFirst(long since) {
    return back(base().head().tip().map(this::at), since);
  }

  /** Commits after the given one in the order in which they were made, at most so many. */
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
   * The commit at which this branch began, which those up to it belong to as well; 0 for main, and
   * for a branch of a ledger without commits.
   */
  public long forkCommitId() {
    return base().head().forked().map(Head.ForkPoint::from).map(Link::commitId).orElse(0L);
  }

  /** What a commit carries for others, as it was given; costs a request unless it is nothing. */
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
   * The types of which {@link #changes} tells nothing for a commit, since a later commit dropped
   * them with their history and their files are deleted; each with that commit.
   */
  public SortedMap<TypeId, Long> purged(long id) {
    return committed(id)
        .map(found -> new CommitChangeReader(ledgerComponents, base(), found.manifest()).purged())
        .orElseGet(TreeMap::new);
  }

  /**
   * Hands on what a commit did, type by type, in the order of the identities.
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
