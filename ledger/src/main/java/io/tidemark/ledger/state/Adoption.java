// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.DataFile;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.Manifest.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds out what a commit of another program leaves unsaid of the types: the last commit of each,
 * its version, where it was dropped. For that, the chain is walked back to the newest commit that
 * says it, or to the first. A writer needs it, because what it writes says it again, and because a
 * drop or a migration that only the chain knows of must count; a reader does without.
 */
public final class Adoption {

  private final Chain chain;
  private Optional<Base> last = Optional.empty();

  public Adoption(Chain chain) {
    this.chain = chain;
  }

  /** The base, with a newest commit that says everything. */
  public synchronized Base of(Base base) {
    if (base.newest().isEmpty() || saysAll(base.newest().get())) {
      return base;
    }
    if (last.isEmpty() || !last.get().versioned().etag().equals(base.versioned().etag())) {
      Manifest complete = of(chain, base.newest().get());
      last = Optional.of(new Base(base.versioned(), Optional.of(complete)));
    }
    return last.get();
  }

  /** A commit, saying everything. */
  public static Manifest of(Chain chain, Manifest commit) {
    if (saysAll(commit)) {
      return commit;
    }
    Walk walk = new Walk();
    Optional<Manifest> manifest = Optional.of(commit);
    while (manifest.isPresent() && !saysAll(manifest.get())) {
      walk.back(manifest.get());
      manifest = chain.parent(manifest.get());
    }
    manifest.ifPresent(walk::end);
    return walk.complete(commit);
  }

  private static boolean saysAll(Manifest manifest) {
    return manifest.typeHeads().isPresent()
        && manifest.typeVersions().isPresent()
        && manifest.schemaCommits().isPresent()
        && manifest.typeFloors().isPresent();
  }

  /** What has been found so far. From the newest back, so what was found first counts. */
  private static final class Walk {
    private final SortedMap<TypeId, Long> heads = new TreeMap<>();
    private final SortedMap<TypeId, Long> versions = new TreeMap<>();
    private final SortedMap<TypeId, Long> schemas = new TreeMap<>();
    private final SortedMap<TypeId, Long> floors = new TreeMap<>();
    private final List<Manifest> drops = new ArrayList<>();
    private List<Link> merged = List.of();

    void back(Manifest manifest) {
      long id = manifest.commitId();
      for (DataFile file : manifest.files()) {
        head(file.type(), id);
        if (file.schemaVersionId() > 0) {
          versions.putIfAbsent(file.type(), file.schemaVersionId());
        }
      }
      manifest.schemaVersions().forEach(schema -> schema(schema.type(), schema.id(), id));
      manifest.metadata().path("migrated_types").forEach(this::migrated);
      if (Manifest.DROP_OPERATION.equals(manifest.metadata().path("operation").asText())) {
        drops.add(manifest);
      }
    }

    /** A migration of another program, which may have found no rows to rewrite. */
    private void migrated(JsonNode said) {
      long version = said.path("to_schema_version_id").asLong();
      Optional<Kind> kind = Kind.of(said.path("type_kind").asText());
      if (kind.isPresent() && version > 0) {
        versions.putIfAbsent(new TypeId(kind.get(), said.path("type_name").asText()), version);
      }
    }

    private void head(TypeId type, long commitId) {
      if (!isDroppedSince(type)) {
        heads.putIfAbsent(type, commitId);
      }
    }

    private void schema(TypeId type, long version, long commitId) {
      versions.putIfAbsent(type, version);
      schemaCommit(type, commitId);
    }

    private void schemaCommit(TypeId type, long commitId) {
      if (!isDroppedSince(type)) {
        schemas.putIfAbsent(type, commitId);
      }
    }

    private boolean isDroppedSince(TypeId type) {
      for (Manifest drop : drops) {
        if (drop.drops(type)) {
          floors.putIfAbsent(type, drop.commitId());
          return true;
        }
      }
      return false;
    }

    /** A commit that says the rest. */
    void end(Manifest manifest) {
      merged = manifest.merged();
      manifest.typeHeads().ifPresent(said -> said.forEach(this::head));
      manifest.schemaCommits().ifPresent(said -> said.forEach(this::schemaCommit));
      manifest
          .typeVersions()
          .ifPresent(said -> said.forEach((type, version) -> versions.putIfAbsent(type, version)));
      manifest
          .typeFloors()
          .ifPresent(said -> said.forEach((type, commit) -> floors.putIfAbsent(type, commit)));
    }

    Manifest complete(Manifest manifest) {
      return manifest.saying(heads, versions, schemas, floors).withMerged(merged);
    }
  }
}
