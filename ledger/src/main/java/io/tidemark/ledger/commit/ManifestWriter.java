// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.state.Adoption;
import io.tidemark.ledger.state.Base;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.DataFile;
import io.tidemark.ledger.store.Layout;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.Manifest.Link;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Puts together what a commit says of itself: its draft, and what its parent said of each type,
 * moved on by what the draft touches. A parent of another program, which says nothing of that, has
 * been through {@link Adoption}.
 */
record ManifestWriter(Base base, Draft draft, String directory) {

  Manifest write(Instant now, String runtimeId) {
    long id = base.nextCommitId();
    Optional<Link> parent =
        base.head().manifestPath().map(path -> new Link(base.head().commitId(), path));
    return new Manifest(
        id,
        parent,
        now,
        runtimeId,
        draft.metadata(),
        files(),
        carried(Manifest::typeHeads).map(heads -> typeHeads(heads, id)),
        carried(Manifest::typeVersions).map(this::typeVersions),
        carried(Manifest::schemaCommits).map(commits -> schemaCommits(commits, id)),
        carried(Manifest::typeFloors).map(floors -> typeFloors(floors, id)),
        base.newest().isEmpty()
            ? Optional.of(List.of())
            : Optional.of(Chain.ancestors(base.newest().get(), parent.orElseThrow().path())),
        draft.schemas(),
        draft.merged().orElse(base.newest().map(Manifest::merged).orElse(List.of())),
        draft.outbox().size());
  }

  private Optional<SortedMap<TypeId, Long>> carried(
      Function<Manifest, Optional<SortedMap<TypeId, Long>>> field) {
    return base.newest().isEmpty()
        ? Optional.of(new TreeMap<>())
        : field.apply(base.newest().get()).map(TreeMap::new);
  }

  private List<DataFile> files() {
    List<DataFile> files = new ArrayList<>();
    for (Draft.Part part : draft.files()) {
      files.add(
          new DataFile(
              part.type(),
              Layout.data(directory, part.type()),
              part.rows().rowCount(),
              part.schemaVersionId(),
              Optional.of(part.rows().contentSha256()),
              OptionalLong.of(part.rows().body().length()),
              previous(part.type())));
    }
    return files;
  }

  private OptionalLong previous(TypeId type) {
    return carried(Manifest::typeHeads)
        .map(heads -> OptionalLong.of(heads.getOrDefault(type, 0L)))
        .orElse(OptionalLong.empty());
  }

  private SortedMap<TypeId, Long> typeHeads(SortedMap<TypeId, Long> heads, long id) {
    heads.keySet().removeAll(draft.dropped().keySet());
    draft.files().forEach(part -> heads.put(part.type(), id));
    return heads;
  }

  private SortedMap<TypeId, Long> typeVersions(SortedMap<TypeId, Long> versions) {
    draft.files().forEach(part -> versions.put(part.type(), part.schemaVersionId()));
    draft.schemas().forEach(schema -> versions.put(schema.type(), schema.id()));
    // Also of a type that never had a row: what is declared under its name again counts on.
    versions.putAll(draft.dropped());
    return versions;
  }

  private SortedMap<TypeId, Long> schemaCommits(SortedMap<TypeId, Long> commits, long id) {
    commits.keySet().removeAll(draft.dropped().keySet());
    draft.schemas().forEach(schema -> commits.put(schema.type(), id));
    return commits;
  }

  private SortedMap<TypeId, Long> typeFloors(SortedMap<TypeId, Long> floors, long id) {
    draft.dropped().keySet().forEach(type -> floors.put(type, id));
    return floors;
  }
}
