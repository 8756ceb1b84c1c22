// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.CatalogAsOf;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.Condition;
import java.util.List;
import java.util.Optional;

/**
 * Writer of the documents that a branch begins with beside its head: the catalog as of the commit
 * it begins at, and the indices up to there, so that its first query needn't walk from commit to
 * commit.
 */
final class BranchDocumentsWriter {

  private final PinnedHead source;
  private final Manifest at;
  private final CatalogAsOf catalog;
  private final TypeFileResolver files;
  private final SnapshotAccess snapshotAccess;

  /** Access of the branch to snapshots of the source. */
  private enum SnapshotAccess {
    SHARED,
    OUT_OF_REACH
  }

  BranchDocumentsWriter(
      LedgerObjects objects, ManifestChain manifestChain, PinnedHead source, Link from) {
    this(objects, manifestChain, source, from, SnapshotAccess.SHARED);
  }

  private BranchDocumentsWriter(
      LedgerObjects objects,
      ManifestChain manifestChain,
      PinnedHead source,
      Link from,
      SnapshotAccess snapshotAccess) {
    this.source = source;
    this.at = ManifestCompleter.complete(manifestChain, manifestChain.at(from));
    this.catalog = new CatalogAsOf(objects, manifestChain, source, at);
    this.files = new TypeFileResolver(objects, manifestChain);
    this.snapshotAccess = snapshotAccess;
  }

  /**
   * Returns the writer for a position in another store, whose commits have been copied and whose
   * snapshots haven't.
   */
  static BranchDocumentsWriter fromRemote(BranchPosition source) {
    return new BranchDocumentsWriter(
        source.objects(),
        source.chain(),
        source.base(),
        source.tip().orElseThrow(),
        SnapshotAccess.OUT_OF_REACH);
  }

  void write(LedgerObjects target, String epoch) {
    catalog.write(target);
    for (TypeId type : at.typesWhere(type -> type.lastCommit() > 0)) {
      TypeIndex index = index(type, Optional.of(epoch));
      target.write(LedgerLayout.index(type), index.json(), Condition.none());
    }
  }

  /**
   * Leaves out a snapshot that extends beyond the fork, since the commits after it differ on the
   * branch. Readers find the missing rows through the chain.
   */
  private TypeIndex index(TypeId type, Optional<String> epoch) {
    Manifest newest = source.newest().orElseThrow();
    // After a drop, also one since the source was looked at, the index has nothing of before.
    Optional<TypeIndex> known =
        snapshotAccess == SnapshotAccess.OUT_OF_REACH || newest.type(type).floor() > at.commitId()
            ? Optional.empty()
            : files
                .usableIndex(type, source.head().epoch(), newest)
                .filter(i -> !i.lacks(at.lastTouch(type)));
    List<Entry> entries = known.map(TypeIndex::entries).orElse(List.of());
    long reaching =
        entries.stream()
            .filter(entry -> entry.max() > at.commitId())
            .mapToLong(entry -> entry.min() - 1)
            .min()
            .orElse(at.commitId());
    long covered =
        Math.min(
            known.map(TypeIndex::maxIndexedCommit).orElse(0L), Math.min(at.commitId(), reaching));
    List<Entry> kept =
        entries.stream()
            .filter(entry -> entry.max() <= covered && entry.max() > at.type(type).floor())
            .toList();
    TypeIndex none = TypeIndex.none(type, epoch);
    TypeIndex index = new TypeIndex(type, covered, kept, epoch, none.rest());
    return index.with(files.gap(at, type, Math.max(covered, at.type(type).floor())), at.commitId());
  }
}
