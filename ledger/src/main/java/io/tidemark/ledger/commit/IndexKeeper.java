// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.Layout;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.TypeFiles;
import io.tidemark.ledger.store.TypeIndex;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.Written;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings indices up to a commit. Each is written on condition of the very version it was computed
 * from, and its watermark never goes back; so two writers can't undo each other's work. Whatever an
 * index lacks, because a writer before died or was another program, is found in the chain.
 *
 * <p>Called by one thread at a time.
 */
public final class IndexKeeper {

  private record Known(TypeIndex index, Optional<ETag> etag) {}

  private final LedgerObjects objects;
  private final TypeFiles files;
  private final Map<TypeId, Known> known = new HashMap<>();

  public IndexKeeper(LedgerObjects objects, Chain chain) {
    this.objects = objects;
    this.files = new TypeFiles(objects, chain);
  }

  /**
   * Makes the index of a type cover everything up to a commit.
   *
   * @return whether it does; not when others wrote it twice meanwhile
   */
  public boolean bringUp(TypeId type, Manifest newest, Optional<String> epoch) {
    Known kept = known.get(type);
    Known base = kept != null && kept.index().epoch().equals(epoch) ? kept : read(type, epoch);
    for (int i = 0; i < 2; i++) {
      if (base.index().maxIndexedCommit() >= newest.commitId()) {
        known.put(type, base);
        return true;
      }
      TypeIndex next = next(base.index(), newest);
      WriteResult result =
          objects.write(
              Layout.index(type),
              next.json(),
              base.etag().map(Condition::ifMatch).orElse(Condition.ifAbsent()));
      if (result instanceof Written written) {
        known.put(type, new Known(next, Optional.of(written.etag())));
        return true;
      }
      base = read(type, epoch);
    }
    known.remove(type);
    return false;
  }

  /** What the index has to become. */
  private TypeIndex next(TypeIndex index, Manifest newest) {
    TypeId type = index.type();
    long floor = newest.typeFloors().map(floors -> floors.getOrDefault(type, 0L)).orElse(0L);
    List<TypeIndex.Entry> kept =
        index.entries().stream().filter(entry -> entry.max() > floor).toList();
    TypeIndex base =
        new TypeIndex(type, index.maxIndexedCommit(), kept, index.epoch(), index.rest());
    long covered = Math.max(base.maxIndexedCommit(), floor);
    return base.with(files.gap(newest, type, covered), newest.commitId());
  }

  private Known read(TypeId type, Optional<String> epoch) {
    Optional<StoredObject> found = objects.get(Layout.index(type));
    TypeIndex index =
        found
            .flatMap(object -> TypeIndex.read(type, epoch, object.bytes()))
            .orElse(TypeIndex.none(type, epoch));
    return new Known(index, found.map(StoredObject::etag));
  }

  /** Forgets what it knows, as after somebody else has repaired or compacted. */
  public void forget() {
    known.clear();
  }
}
