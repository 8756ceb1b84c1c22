// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.branch.Lineage;
import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.commit.Cid;
import io.tidemark.ledger.store.Backwards;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.Manifest;
import java.util.Optional;
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
    return newest().map(Manifest::commitId);
  }

  /** A commit; empty when there is none of that id. */
  public Optional<Commit> get(long id) {
    return manifest(id).map(Commit::of);
  }

  /**
   * The content id of what a commit says of itself, by which the nameservice knows it; empty when
   * there is no such commit.
   */
  public Optional<String> contentId(long id) {
    return base()
        .head()
        .tip()
        .filter(tip -> id >= 1 && id <= tip.commitId())
        .map(tip -> new Lineage(chain, tip).at(id).path())
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
    Backwards backwards = new Backwards(chain, since + 1);
    return Stream.iterate(
            newest(), Optional::isPresent, m -> m.flatMap(commit -> before(commit, backwards)))
        .map(Optional::orElseThrow)
        .takeWhile(manifest -> manifest.commitId() > since)
        .map(Commit::of);
  }

  private Optional<Manifest> before(Manifest commit, Backwards backwards) {
    backwards.step(commit, commit.commitId() - 1);
    return chain.parent(commit);
  }

  /**
   * Hands on what a commit did, type by type, in the order of the identities.
   *
   * @return false when there is no such commit
   */
  public boolean changes(long id, Consumer<Change> consumer) {
    Optional<Manifest> manifest = manifest(id);
    manifest.ifPresent(found -> new ChangesOf(parts, base(), found).forEach(consumer));
    return manifest.isPresent();
  }

  private Optional<Manifest> manifest(long id) {
    return newest()
        .filter(manifest -> id >= 1 && id <= manifest.commitId())
        .map(manifest -> chain.find(manifest, id));
  }

  private Optional<Manifest> newest() {
    return base().newest();
  }

  private Base base() {
    return parts.heads().refresh();
  }
}
