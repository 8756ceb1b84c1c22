// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.DataFile;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.RowFiles;
import io.tidemark.ledger.store.TypeFiles;
import io.tidemark.ledger.store.TypeFiles.Source;
import io.tidemark.ledger.store.TypeIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one commit did. The versions before are looked for in the files before, from the newest
 * back, until all are found; a part of the commit's rows at a time, so that a large one needs no
 * more memory than a part.
 */
final class ChangesOf {

  private static final int PART = 50_000;

  private final Base base;
  private final Manifest commit;
  private final TypeFiles files;
  private final RowFiles rows;

  ChangesOf(Ledger.Parts parts, Base base, Manifest commit) {
    this.base = base;
    this.commit = commit;
    this.files = new TypeFiles(parts.objects(), parts.chain());
    this.rows = new RowFiles(parts.objects());
  }

  void forEach(Consumer<Change> consumer) {
    for (DataFile file : commit.files()) {
      List<Source> before = before(file);
      List<Row> part = new ArrayList<>();
      Source source = new Source(commit.commitId(), commit.commitId(), file.path(), file.sha256());
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

  /** The files of a type before this commit, the oldest first. */
  private List<Source> before(DataFile file) {
    if (file.previous().isPresent() && file.previous().getAsLong() == 0) {
      return List.of();
    }
    Optional<String> epoch = base.head().epoch();
    TypeIndex index = files.index(file.type(), epoch).orElse(TypeIndex.none(file.type(), epoch));
    return files
        .resolve(base.newest().orElseThrow(), index, floor(file.type()), commit.commitId() - 1)
        .sources();
  }

  /** As of the commit itself, so that what a later drop hid is still told. */
  private long floor(TypeId type) {
    return commit.typeFloors().map(floors -> floors.getOrDefault(type, 0L)).orElse(0L);
  }

  private void emit(TypeId type, List<Row> part, List<Source> before, Consumer<Change> consumer) {
    Map<Identity, Row> missing = new HashMap<>();
    part.forEach(row -> missing.put(row.identity(), row));
    Map<Identity, Row> found = new HashMap<>();
    for (int i = before.size() - 1; i >= 0 && found.size() < part.size(); i--) {
      rows.read(
          type.kind(),
          before.get(i),
          row -> {
            if (row.commitId() < commit.commitId() && missing.containsKey(row.identity())) {
              found.merge(row.identity(), row, (a, b) -> a.commitId() >= b.commitId() ? a : b);
            }
          });
    }
    for (Row row : part) {
      consumer.accept(
          new Change(type, row.identity(), Optional.ofNullable(found.get(row.identity())), row));
    }
    part.clear();
  }
}
