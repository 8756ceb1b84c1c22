// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * State of a ledger as of one commit of one of its branches, or the empty state before the first.
 */
final class CommitState {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final Head.Versioned head;
  private final Optional<Link> tip;
  private final Lineage lineage;
  private final Optional<String> epoch;
  private final boolean indexed;
  private final Manifest manifest;
  private final TypeFileResolver files;
  private final DataFileReader rows;
  private final ReadProgress read;

  /**
   * Creates the state as of a commit.
   *
   * @param objects objects of a branch, whose indices are used if it has the commit
   * @param head head of that branch
   * @param read counts the rows that are read
   */
  CommitState(
      LedgerObjects objects,
      ManifestChain manifestChain,
      Head.Versioned head,
      Link commit,
      ReadProgress read) {
    this.head = head;
    this.tip = head.head().tip();
    this.indexed =
        tip.filter(newest -> new Lineage(manifestChain, newest).contains(commit)).isPresent();
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.lineage = new Lineage(manifestChain, commit);
    this.epoch = head.head().epoch();
    this.manifest =
        commit.equals(Lineage.BEGINNING)
            ? Manifest.ofEmptyState()
            : ManifestCompleter.complete(manifestChain, manifestChain.at(commit));
    this.files = new TypeFileResolver(objects, manifestChain);
    this.rows = new DataFileReader(objects);
    this.read = read;
  }

  LedgerObjects objects() {
    return objects;
  }

  Lineage lineage() {
    return lineage;
  }

  /** Returns the commit's manifest, with the state of all types. */
  Manifest manifest() {
    return manifest;
  }

  long commitId() {
    return manifest.commitId();
  }

  /**
   * Returns the later commit of the branch that dropped a type with the rows it has here, if their
   * files are deleted by now.
   */
  OptionalLong purged(TypeId type) {
    if (manifest.lastTouch(type) == 0 || tip.isEmpty()) {
      return OptionalLong.empty();
    }
    long floor =
        ManifestCompleter.complete(manifestChain, manifestChain.at(tip.get())).type(type).floor();
    boolean isGone =
        floor > commitId()
            && resolve(type, 0).sources().stream()
                .anyMatch(file -> objects.store().head(objects.key(file.path())).isEmpty());
    return isGone ? OptionalLong.of(floor) : OptionalLong.empty();
  }

  /** Returns the newest commit of the branch. */
  long newestCommitId() {
    return head.head().commitId();
  }

  /** Returns every version of a type's schema that the branch has by now, the oldest first. */
  List<SchemaVersion> versions(TypeId type) {
    return reading(() -> catalog().history(type, base()));
  }

  /**
   * Returns the version that a type's schema had at a commit of the branch.
   *
   * @param versions all versions that the branch has
   * @param schemaOf the commit; empty for the newest
   * @return empty when the version is none of these
   */
  Optional<SchemaVersion> version(
      TypeId type, List<SchemaVersion> versions, OptionalLong schemaOf) {
    return reading(
        () -> catalog().versionAt(type, versions, base(), schemaOf.orElse(newestCommitId())));
  }

  private Catalog catalog() {
    return new Catalog(objects, manifestChain);
  }

  private PinnedHead base() {
    return new PinnedHead(
        head,
        tip.map(newest -> ManifestCompleter.complete(manifestChain, manifestChain.at(newest))));
  }

  /** Passes on every version of a type that was written after a commit, in the order of commits. */
  void history(TypeId type, long since, Consumer<Row> consumer) {
    if (purged(type).isPresent()) {
      return;
    }
    reading(
        () -> {
          TypeFileResolver.ResolvedFiles found = resolve(type, since);
          rows.readAll(
              type.kind(),
              found,
              (source, row) -> {
                read.increment();
                if (counts(row, found)) {
                  consumer.accept(row);
                }
              });
          return true;
        });
  }

  /** Returns the rows of those of some identities that exist. */
  Map<Identity, Row> rows(TypeId type, Collection<Identity> identities) {
    return purged(type).isPresent()
        ? Map.of()
        : reading(
            () ->
                rows.latestVersions(
                    type.kind(),
                    resolve(type, 0),
                    new HashSet<>(identities),
                    commitId(),
                    row -> read.increment()));
  }

  /**
   * Reports a branch that was dropped during the work, since its objects are deleted under its
   * readers.
   */
  private <A> A reading(Supplier<A> work) {
    try {
      return work.get();
    } catch (CorruptLedgerException e) {
      throw isGone() ? UnknownBranchException.dropped(objects.branch(), objects.location(), e) : e;
    }
  }

  private boolean isGone() {
    return !objects.branch().isMain()
        && Head.read(objects).filter(now -> now.head().epoch().equals(epoch)).isEmpty();
  }

  private boolean counts(Row row, TypeFileResolver.ResolvedFiles found) {
    return row.commitId() > found.lowerExclusive() && row.commitId() <= commitId();
  }

  /**
   * Resolves the files, by the index if it has the last relevant commit, which it hasn't after a
   * drop.
   */
  private TypeFileResolver.ResolvedFiles resolve(TypeId type, long since) {
    TypeIndex index =
        files
            .usableIndex(type, epoch, manifest)
            .filter(found -> indexed && found.covers(manifest.lastTouch(type)))
            .orElse(TypeIndex.none(type, epoch));
    return files.resolve(manifest, index, since, commitId());
  }
}
