// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.state.Base;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.Layout;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.TypeFiles;
import io.tidemark.ledger.store.TypeIndex;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
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

  /** A busy writer writes an index ten times a second; to lose to it so often takes bad luck. */
  private static final int TRIES = 20;

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
   * @return the index; empty when others wrote it twice meanwhile
   */
  public Optional<TypeIndex> bringUp(TypeId type, Manifest newest, Optional<String> epoch) {
    Known kept = known.get(type);
    Known base =
        kept != null && kept.index().epoch().equals(epoch) ? kept : read(type, epoch, newest);
    for (int i = 0; i < 2; i++) {
      if (base.index().maxIndexedCommit() >= newest.commitId()) {
        known.put(type, base);
        return Optional.of(base.index());
      }
      TypeIndex next = files.broughtUp(base.index(), newest);
      if (write(base, next) instanceof Written written) {
        known.put(type, new Known(next, Optional.of(written.etag())));
        return Optional.of(next);
      }
      base = read(type, epoch, newest);
    }
    known.remove(type);
    return Optional.empty();
  }

  /**
   * Puts a snapshot in the place of the files it was made of, and brings the index up with it.
   *
   * @return the index; empty when somebody else has put something in their place meanwhile, or kept
   *     writing the index
   */
  public Optional<TypeIndex> replace(
      List<TypeIndex.Entry> inputs, TypeIndex.Entry snapshot, TypeId type, Base base) {
    for (int i = 0; i < TRIES; i++) {
      Known stored = read(type, base.head().epoch(), base.newest().orElseThrow());
      if (stored.index().entries().stream().anyMatch(e -> e.path().equals(snapshot.path()))) {
        return Optional.of(stored.index()); // by a write whose answer was lost
      }
      Optional<TypeIndex> next =
          files.broughtUp(stored.index(), base.newest().orElseThrow()).replacing(inputs, snapshot);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      try {
        if (write(stored, next.get()).written()) {
          return next;
        }
      } catch (OutcomeUnknownException e) {
        // The next look tells, since nobody else has a snapshot of this name.
      }
    }
    return Optional.empty();
  }

  private WriteResult write(Known base, TypeIndex next) {
    return objects.write(
        Layout.index(next.type()),
        next.json(),
        base.etag().map(Condition::ifMatch).orElse(Condition.ifAbsent()));
  }

  private Known read(TypeId type, Optional<String> epoch, Manifest newest) {
    Optional<StoredObject> found = objects.get(Layout.index(type));
    TypeIndex index =
        found
            .flatMap(object -> TypeIndex.read(type, epoch, object.bytes()))
            .map(read -> files.checked(read, newest))
            .orElse(TypeIndex.none(type, epoch));
    return new Known(index, found.map(StoredObject::etag));
  }

  /** Forgets what it knows, as after somebody else has repaired or compacted. */
  public void forget() {
    known.clear();
  }
}
