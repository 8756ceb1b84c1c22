// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Completer of manifests of other programs. It finds what such a commit leaves unsaid of the types:
 * the last commit of each, its version, where it was dropped. For that, the chain is walked back to
 * the newest commit that says it, or to the first. A writer needs it, because what it writes says
 * it again, and because a drop or a migration that only the chain knows of must count; a reader
 * does without.
 */
public final class ManifestCompleter {

  private final ManifestChain manifestChain;
  private Optional<PinnedHead> last = Optional.empty();

  public ManifestCompleter(ManifestChain manifestChain) {
    this.manifestChain = manifestChain;
  }

  /** Returns the head, with a newest commit that says everything. */
  public synchronized PinnedHead complete(PinnedHead pinnedHead) {
    if (pinnedHead.newest().isEmpty() || pinnedHead.newest().get().hasTypes()) {
      return pinnedHead;
    }
    if (last.isEmpty() || !last.get().versioned().etag().equals(pinnedHead.versioned().etag())) {
      Manifest complete = complete(manifestChain, pinnedHead.newest().get());
      last = Optional.of(new PinnedHead(pinnedHead.versioned(), Optional.of(complete)));
    }
    return last.get();
  }

  /** Returns the commit, saying everything. */
  public static Manifest complete(ManifestChain manifestChain, Manifest commit) {
    if (commit.hasTypes()) {
      return commit;
    }
    Walk walk = new Walk();
    Optional<Manifest> manifest = Optional.of(commit);
    while (manifest.isPresent() && !manifest.get().hasTypes()) {
      walk.back(manifest.get());
      manifest = manifestChain.parent(manifest.get());
    }
    manifest.ifPresent(walk::end);
    return walk.complete(commit);
  }

  /** Findings of a walk from the newest commit back, so that the first finding counts. */
  private static final class Walk {
    private final SortedMap<TypeId, TypeSummary> types = new TreeMap<>();
    private final List<Manifest> drops = new ArrayList<>();
    private List<Link> merged = List.of();

    void back(Manifest manifest) {
      long id = manifest.commitId();
      for (DataFile file : manifest.files()) {
        head(file.type(), id);
        version(file.type(), file.schemaVersionId());
      }
      manifest.schemaVersions().forEach(schema -> schema(schema.type(), schema.id(), id));
      manifest.metadata().path("migrated_types").forEach(this::migrated);
      if (Manifest.DROP_OPERATION.equals(manifest.metadata().path("operation").asText())) {
        drops.add(manifest);
      }
    }

    /** Notes a migration of another program, which may have found no rows to rewrite. */
    private void migrated(JsonNode said) {
      long version = said.path("to_schema_version_id").asLong();
      Optional<TypeKind> kind = TypeKind.of(said.path("type_kind").asText());
      if (kind.isPresent()) {
        version(new TypeId(kind.get(), said.path("type_name").asText()), version);
      }
    }

    private void head(TypeId type, long commitId) {
      if (commitId > 0 && !isDroppedSince(type) && known(type).lastCommit() == 0) {
        types.put(type, known(type).withLastCommit(commitId));
      }
    }

    private void version(TypeId type, long version) {
      if (version > 0 && known(type).version() == 0) {
        types.put(type, known(type).withVersion(version));
      }
    }

    private void schema(TypeId type, long version, long commitId) {
      version(type, version);
      schemaCommit(type, commitId);
    }

    private void schemaCommit(TypeId type, long commitId) {
      if (commitId > 0 && !isDroppedSince(type) && known(type).schemaCommit() == 0) {
        types.put(type, known(type).withSchemaCommit(commitId));
      }
    }

    private void floor(TypeId type, long commitId) {
      if (commitId > 0 && known(type).floor() == 0) {
        types.put(type, known(type).withFloor(commitId));
      }
    }

    private TypeSummary known(TypeId type) {
      return types.getOrDefault(type, TypeSummary.NONE);
    }

    private boolean isDroppedSince(TypeId type) {
      for (Manifest drop : drops) {
        if (drop.drops(type)) {
          floor(type, drop.commitId());
          return true;
        }
      }
      return false;
    }

    /** Ends the walk at a commit that says the rest. */
    void end(Manifest manifest) {
      merged = manifest.merged();
      manifest
          .types()
          .orElseThrow()
          .forEach(
              (type, said) -> {
                head(type, said.lastCommit());
                schemaCommit(type, said.schemaCommit());
                version(type, said.version());
                floor(type, said.floor());
              });
    }

    Manifest complete(Manifest manifest) {
      return manifest.withSummaries(types, merged);
    }
  }
}
