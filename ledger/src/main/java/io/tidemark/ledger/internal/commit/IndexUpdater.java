// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.Register;
import io.tidemark.objects.Register.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Updater of indices to a commit. Each write is conditional on the very version it was computed
 * from, and the watermark of an index never goes back; so two writers can't undo each other's work.
 * Commits that an index lacks, because an earlier writer died or was another program, are found in
 * the chain.
 */
public final class IndexUpdater {

  /**
   * Maximum number of attempts. A busy writer writes an index ten times a second; to lose to it so
   * often takes bad luck.
   */
  private static final int TRIES = 20;

  private final LedgerObjects objects;
  private final TypeFileResolver files;
  private final Map<TypeId, State<TypeIndex>> known = new HashMap<>();

  public IndexUpdater(LedgerObjects objects, ManifestChain manifestChain) {
    this.objects = objects;
    this.files = new TypeFileResolver(objects, manifestChain);
  }

  /**
   * Makes the index of a type cover everything up to a commit.
   *
   * @return the index; empty when other writers wrote it twice meanwhile
   */
  public Optional<TypeIndex> advanceTo(TypeId type, Manifest newest, Optional<String> epoch) {
    Register<TypeIndex> register = register(type, epoch, newest);
    Optional<State<TypeIndex>> kept =
        Optional.ofNullable(known.get(type))
            .filter(state -> index(state, type, epoch).epoch().equals(epoch));
    Optional<State<TypeIndex>> now =
        register.tryUpdate(
            kept.orElseGet(register::read),
            1,
            seen ->
                Optional.of(index(seen, type, epoch))
                    .filter(index -> index.maxIndexedCommit() < newest.commitId())
                    .map(index -> files.advanced(index, newest)));
    now.ifPresentOrElse(state -> known.put(type, state), () -> known.remove(type));
    return now.map(state -> index(state, type, epoch));
  }

  /**
   * Replaces the files that a snapshot was made of by the snapshot, and advances the index.
   *
   * @return the index; empty when another process has replaced these files meanwhile, or kept
   *     writing the index
   */
  public Optional<TypeIndex> replace(
      List<TypeIndex.Entry> inputs, TypeIndex.Entry snapshot, TypeId type, PinnedHead pinnedHead) {
    Manifest newest = pinnedHead.newest().orElseThrow();
    Optional<String> epoch = pinnedHead.head().epoch();
    Register<TypeIndex> register = register(type, epoch, newest);
    return register
        .tryUpdate(
            register.read(),
            TRIES,
            seen ->
                Optional.of(index(seen, type, epoch))
                    .filter(index -> !has(index, snapshot)) // by a write whose answer was lost
                    .flatMap(index -> files.advanced(index, newest).replacing(inputs, snapshot)))
        .map(state -> index(state, type, epoch))
        .filter(index -> has(index, snapshot));
  }

  private static boolean has(TypeIndex index, TypeIndex.Entry snapshot) {
    return index.entries().stream().anyMatch(entry -> entry.path().equals(snapshot.path()));
  }

  private Register<TypeIndex> register(TypeId type, Optional<String> epoch, Manifest newest) {
    return objects.register(
        LedgerLayout.index(type),
        TypeIndex.format(type, epoch, index -> files.checked(index, newest)));
  }

  private static TypeIndex index(State<TypeIndex> state, TypeId type, Optional<String> epoch) {
    return state.value().orElseGet(() -> TypeIndex.none(type, epoch));
  }
}
