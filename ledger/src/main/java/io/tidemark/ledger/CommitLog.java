// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.commit.Cid;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Backwards;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
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

  private final Ledger.Parts parts;
  private final Chain chain;

  CommitLog(Ledger.Parts parts) {
    this.parts = parts;
    this.chain = parts.chain();
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
                    parts
                        .objects()
                        .get(path)
                        .orElseThrow(() -> parts.objects().corrupt(path, "is missing"))
                        .bytes()));
  }

  /** Commits from the newest back, lazily; those after the given id only. */
  public Stream<Commit> newestFirst(long since) {
    return back(base().head().tip().map(this::at), since);
  }

  /** Commits after the given one in the order in which they were made, at most so many. */
  public List<Commit> after(long id, int most) {
    Base base = base();
    long newest = Math.min(base.head().commitId(), id + most);
    Deque<Commit> commits = new ArrayDeque<>();
    if (newest > id) {
      back(link(base, newest).map(this::at), id).forEach(commits::addFirst);
    }
    return List.copyOf(commits);
  }

  /**
   * The commit at which this branch began, which those up to it belong to as well; 0 for main, and
   * for a branch of a ledger without commits.
   */
  public long fork() {
    return base().head().forked().map(Head.Forked::from).map(Link::commitId).orElse(0L);
  }

  /** What a commit carries for others, as it was given; costs a request unless it is nothing. */
  public List<JsonNode> outbox(Commit commit) {
    return commit.outboxSize() == 0 ? List.of() : Manifest.outbox(parts.objects(), commit.path());
  }

  private Stream<Commit> back(Optional<Committed> from, long since) {
    Backwards backwards = new Backwards(chain, since + 1);
    return Stream.iterate(
            from, Optional::isPresent, c -> c.flatMap(commit -> before(commit, backwards)))
        .map(Optional::orElseThrow)
        .takeWhile(commit -> commit.manifest().commitId() > since)
        .map(Commit::of);
  }

  private Optional<Committed> before(Committed commit, Backwards backwards) {
    Manifest manifest = commit.manifest();
    backwards.step(manifest, manifest.commitId() - 1);
    return chain
        .parent(manifest)
        .map(parent -> new Committed(parent, manifest.parent().orElseThrow().path()));
  }

  /**
   * The types of which {@link #changes} tells nothing for a commit, since a later commit dropped
   * them with their history and their files are deleted; each with that commit.
   */
  public SortedMap<TypeId, Long> purged(long id) {
    return committed(id)
        .map(found -> new ChangesOf(parts, base(), found.manifest()).purged())
        .orElseGet(TreeMap::new);
  }

  /**
   * Hands on what a commit did, type by type, in the order of the identities.
   *
   * @return false when there is no such commit
   */
  public boolean changes(long id, Consumer<Change> consumer) {
    Optional<Manifest> manifest = committed(id).map(Committed::manifest);
    manifest.ifPresent(found -> new ChangesOf(parts, base(), found).forEach(consumer));
    return manifest.isPresent();
  }

  private Optional<Committed> committed(long id) {
    return link(base(), id).map(this::at);
  }

  private Optional<Link> link(Base base, long id) {
    return base.head()
        .tip()
        .filter(tip -> id >= 1 && id <= tip.commitId())
        .map(tip -> new Lineage(chain, tip).at(id));
  }

  private Committed at(Link link) {
    return new Committed(chain.at(link), link.path());
  }

  private Base base() {
    return parts.heads().refresh();
  }
}
