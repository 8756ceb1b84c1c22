// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.TypeFiles;
import io.tidemark.ledger.store.TypeIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which files hold the rows of types, by what this process has seen already. The index of a type is
 * read once; what is committed later is taken from the manifests, which the head leads to. So a
 * query on a ledger that hasn't moved asks the store for nothing but the head.
 */
public final class KnownFiles {

  private final TypeFiles files;
  private final Map<TypeId, TypeIndex> known = new ConcurrentHashMap<>();

  public KnownFiles(LedgerObjects objects, Chain chain) {
    this.files = new TypeFiles(objects, chain);
  }

  /** The files of a window, as of a head. */
  TypeFiles.Resolved resolve(TypeId type, Base base, Window window) {
    if (base.newest().isEmpty() || window.isEmpty()) {
      return new TypeFiles.Resolved(List.of(), window.lowerExclusive(), Optional.empty());
    }
    Manifest newest = base.newest().get();
    Optional<String> epoch = base.head().epoch();
    TypeIndex index = known.get(type);
    boolean usable =
        index != null
            && index.epoch().equals(epoch)
            && index.maxIndexedCommit() <= newest.commitId();
    if (index == null || !usable) {
      index = files.index(type, epoch).orElse(TypeIndex.none(type, epoch));
    }
    TypeFiles.Resolved resolved =
        files.resolve(newest, index, window.lowerExclusive(), window.upper());
    // One that contradicts the chain isn't built on; the next query reads it again.
    if (usable || resolved.warning().isEmpty()) {
      known.put(
          type, index.with(files.gap(newest, type, index.maxIndexedCommit()), newest.commitId()));
    }
    return resolved;
  }
}
