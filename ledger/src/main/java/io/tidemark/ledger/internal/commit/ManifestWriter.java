// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.schema.TypeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writer of a commit's manifest: its draft, and its parent's state of each type, updated for the
 * types that the draft touches. A parent of another program, which lacks that state, has been
 * through {@link ManifestCompleter}.
 */
record ManifestWriter(PinnedHead base, Draft.NewCommit draft, String directory) {

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
        Optional.of(types(id)),
        base.newest().isEmpty()
            ? Optional.of(List.of())
            : Optional.of(
                ManifestChain.ancestors(base.newest().get(), parent.orElseThrow().path())),
        draft.schemas(),
        draft.merged().orElse(base.newest().map(Manifest::merged).orElse(List.of())),
        draft.outbox().size());
  }

  private List<DataFile> files() {
    List<DataFile> files = new ArrayList<>();
    for (Draft.Part part : draft.files()) {
      files.add(
          new DataFile(
              part.type(),
              LedgerLayout.data(directory, part.type()),
              part.rows().rowCount(),
              part.schemaVersionId(),
              Optional.of(part.rows().contentSha256()),
              OptionalLong.of(part.rows().body().length()),
              OptionalLong.of(base.type(part.type()).lastCommit())));
    }
    return files;
  }

  private SortedMap<TypeId, TypeSummary> types(long id) {
    SortedMap<TypeId, TypeSummary> types =
        new TreeMap<>(base.newest().orElseGet(Manifest::ofEmptyState).types().orElseThrow());
    // Also of a type that never had a row: a type declared under its name again counts on.
    draft.dropped().forEach((type, last) -> types.put(type, new TypeSummary(0, last, 0, id)));
    for (Draft.Part part : draft.files()) {
      types.compute(
          part.type(),
          (type, before) -> known(before).withLastCommit(id).withVersion(part.schemaVersionId()));
    }
    for (SchemaVersion schema : draft.schemas()) {
      types.compute(
          schema.type(),
          (type, before) -> known(before).withSchemaCommit(id).withVersion(schema.id()));
    }
    return types;
  }

  private static TypeSummary known(@Nullable TypeSummary before) {
    return before == null ? TypeSummary.NONE : before;
  }
}
