// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reader of the changes of one commit. It finds earlier versions in earlier files, from the newest
 * back, until it has all. It reads the commit's rows in parts, so that a large commit needs no more
 * memory than a part.
 */
final class CommitChangeReader {

  private static final int PART = 50_000;

  private final PinnedHead pinnedHead;
  private final Manifest commit;
  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final TypeFileResolver files;
  private final DataFileReader rows;

  CommitChangeReader(
      Ledger.LedgerComponents ledgerComponents, PinnedHead pinnedHead, Manifest commit) {
    this.pinnedHead = pinnedHead;
    this.commit = commit;
    this.objects = ledgerComponents.objects();
    this.manifestChain = ledgerComponents.chain();
    this.files = new TypeFileResolver(ledgerComponents.objects(), ledgerComponents.chain());
    this.rows = new DataFileReader(ledgerComponents.objects());
  }

  /**
   * Returns the types whose rows are deleted since a later commit dropped them, each with that
   * commit.
   */
  SortedMap<TypeId, Long> purged() {
    SortedMap<TypeId, Long> purged = new TreeMap<>();
    Manifest newest = ManifestCompleter.complete(manifestChain, pinnedHead.newest().orElseThrow());
    for (DataFile file : commit.files()) {
      long floor = newest.type(file.type()).floor();
      if (floor > commit.commitId() && !isThere(file)) {
        purged.put(file.type(), floor);
      }
    }
    return purged;
  }

  private boolean isThere(DataFile file) {
    return isThere(file.path())
        && before(file).sources().stream().allMatch(source -> isThere(source.path()));
  }

  private boolean isThere(String path) {
    return objects.store().head(objects.key(path)).isPresent();
  }

  void forEach(Consumer<IdentityChange> consumer) {
    SortedMap<TypeId, Long> purged = purged();
    for (DataFile file : commit.files()) {
      if (purged.containsKey(file.type())) {
        continue;
      }
      TypeFileResolver.ResolvedFiles before = before(file);
      List<Row> part = new ArrayList<>();
      long id = commit.commitId();
      Source source = new Source(id, id, file.path(), file.sha256(), file.sizeBytes());
      rows.read(
          file.type().kind(),
          source,
          row -> {
            part.add(row);
            if (part.size() == PART) {
              emit(file.type(), part, before, consumer);
            }
          });
      emit(file.type(), part, before, consumer);
    }
  }

  /**
   * Returns the files of a type before this commit, the oldest first, as its parent saw them, so
   * rows that a later drop hid are still reported. The index is used as long as it has this very
   * commit, which it hasn't after such a drop.
   */
  private TypeFileResolver.ResolvedFiles before(DataFile file) {
    Optional<Manifest> parent = manifestChain.parent(commit);
    boolean first = file.previous().isPresent() && file.previous().getAsLong() == 0;
    if (parent.isEmpty() || first) {
      return new TypeFileResolver.ResolvedFiles(List.of(), 0, Optional.empty());
    }
    Optional<String> epoch = pinnedHead.head().epoch();
    TypeIndex index =
        files
            .usableIndex(file.type(), epoch, commit)
            .filter(found -> found.covers(commit.commitId()))
            .orElse(TypeIndex.none(file.type(), epoch));
    return files.resolve(parent.get(), index, 0, commit.commitId() - 1);
  }

  private void emit(
      TypeId type,
      List<Row> part,
      TypeFileResolver.ResolvedFiles resolvedFiles,
      Consumer<IdentityChange> consumer) {
    Set<Identity> identities = part.stream().map(Row::identity).collect(Collectors.toSet());
    Map<Identity, Row> found =
        rows.latestVersions(
            type.kind(), resolvedFiles, identities, commit.commitId() - 1, row -> {});
    for (Row row : part) {
      consumer.accept(
          new IdentityChange(
              type, row.identity(), Optional.ofNullable(found.get(row.identity())), row));
    }
    part.clear();
  }
}
