// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.state.Adoption;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.RowFiles;
import io.tidemark.ledger.internal.store.TypeFiles;
import io.tidemark.ledger.internal.store.TypeFiles.Source;
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
 * What one commit did. The versions before are looked for in the files before, from the newest
 * back, until all are found; a part of the commit's rows at a time, so that a large one needs no
 * more memory than a part.
 */
final class ChangesOf {

  private static final int PART = 50_000;

  private final Base base;
  private final Manifest commit;
  private final LedgerObjects objects;
  private final Chain chain;
  private final TypeFiles files;
  private final RowFiles rows;

  ChangesOf(Ledger.Parts parts, Base base, Manifest commit) {
    this.base = base;
    this.commit = commit;
    this.objects = parts.objects();
    this.chain = parts.chain();
    this.files = new TypeFiles(parts.objects(), parts.chain());
    this.rows = new RowFiles(parts.objects());
  }

  /** The types whose rows are deleted since a later commit dropped them; each with that commit. */
  SortedMap<TypeId, Long> purged() {
    SortedMap<TypeId, Long> purged = new TreeMap<>();
    Manifest newest = Adoption.of(chain, base.newest().orElseThrow());
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

  void forEach(Consumer<Change> consumer) {
    SortedMap<TypeId, Long> purged = purged();
    for (DataFile file : commit.files()) {
      if (purged.containsKey(file.type())) {
        continue;
      }
      TypeFiles.Resolved before = before(file);
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
   * The files of a type before this commit, the oldest first, as its parent saw them: so what a
   * later drop hid is still told. The index is of use as long as it has this very commit, which it
   * hasn't after such a drop.
   */
  private TypeFiles.Resolved before(DataFile file) {
    Optional<Manifest> parent = chain.parent(commit);
    boolean first = file.previous().isPresent() && file.previous().getAsLong() == 0;
    if (parent.isEmpty() || first) {
      return new TypeFiles.Resolved(List.of(), 0, Optional.empty());
    }
    Optional<String> epoch = base.head().epoch();
    TypeIndex index =
        files
            .trusted(file.type(), epoch, commit)
            .filter(found -> found.covers(commit.commitId()))
            .orElse(TypeIndex.none(file.type(), epoch));
    return files.resolve(parent.get(), index, 0, commit.commitId() - 1);
  }

  private void emit(
      TypeId type, List<Row> part, TypeFiles.Resolved resolved, Consumer<Change> consumer) {
    Set<Identity> identities = part.stream().map(Row::identity).collect(Collectors.toSet());
    Map<Identity, Row> found =
        rows.last(type.kind(), resolved, identities, commit.commitId() - 1, row -> {});
    for (Row row : part) {
      consumer.accept(
          new Change(type, row.identity(), Optional.ofNullable(found.get(row.identity())), row));
    }
    part.clear();
  }
}
