// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.TypeFiles;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which files hold the rows of types, by what this process has seen already. The index of a type is
 * read once; what is committed later is taken from the manifests, which the head leads to. So a
 * query on a ledger that hasn't moved asks the store for nothing but the head. After some commits
 * the index is read again, since it may have been compacted.
 */
public final class KnownFiles {

  /** After so many files of commits that came later, an index is worth another look. */
  private static final int LOOK_AGAIN = 32;

  private final TypeFiles files;
  private final Map<TypeId, Known> known = new ConcurrentHashMap<>();

  public KnownFiles(LedgerObjects objects, Chain chain) {
    this.files = new TypeFiles(objects, chain);
  }

  /**
   * An index, with what came later.
   *
   * @param entriesWhenRead how many files it had when it was last looked at
   */
  private record Known(TypeIndex index, int entriesWhenRead) {

    static Known of(TypeIndex index) {
      return new Known(index, index.entries().size());
    }

    boolean isOf(Optional<String> epoch, Manifest newest) {
      return index.epoch().equals(epoch) && index.maxIndexedCommit() <= newest.commitId();
    }

    boolean isWorthALook() {
      return index.entries().size() - entriesWhenRead >= LOOK_AGAIN;
    }
  }

  /** The files of a window, as of a head. */
  public TypeFiles.Resolved resolve(TypeId type, Base base, Window window) {
    if (base.newest().isEmpty() || window.isEmpty()) {
      return new TypeFiles.Resolved(List.of(), window.lowerExclusive(), Optional.empty());
    }
    Manifest newest = base.newest().get();
    Optional<String> epoch = base.head().epoch();
    Known before = known.get(type);
    if (before == null || !before.isOf(epoch, newest)) {
      TypeIndex read = read(type, epoch, newest);
      TypeFiles.Resolved resolved = resolve(newest, read, window);
      // One that contradicts the chain isn't built on; the next query reads it again.
      if (resolved.warning().isEmpty()) {
        follow(Known.of(read), newest);
      }
      return resolved;
    }
    Known now = before.isWorthALook() ? lookAgain(before, newest) : before;
    TypeFiles.Resolved resolved = resolve(newest, now.index(), window);
    follow(now, newest);
    return resolved;
  }

  /** The index as it is stored now, unless it says less than what is known. */
  private Known lookAgain(Known before, Manifest newest) {
    TypeIndex read = read(before.index().type(), before.index().epoch(), newest);
    boolean sound =
        resolve(newest, read, 0, newest.commitId()).warning().isEmpty()
            && read.maxIndexedCommit() <= newest.commitId();
    return Known.of(sound ? read : before.index());
  }

  private void follow(Known from, Manifest newest) {
    TypeIndex index = from.index();
    List<TypeIndex.Entry> later = files.gap(newest, index.type(), index.maxIndexedCommit());
    TypeIndex next = index.with(later, newest.commitId());
    known.put(index.type(), new Known(next, from.entriesWhenRead()));
  }

  private TypeIndex read(TypeId type, Optional<String> epoch, Manifest newest) {
    return files.trusted(type, epoch, newest).orElse(TypeIndex.none(type, epoch));
  }

  private TypeFiles.Resolved resolve(Manifest newest, TypeIndex index, Window window) {
    return resolve(newest, index, window.lowerExclusive(), window.upper());
  }

  private TypeFiles.Resolved resolve(Manifest newest, TypeIndex index, long lower, long upper) {
    return files.resolve(newest, index, lower, upper);
  }

  /** The same by the commits alone, for when a file that an index named is no good. */
  TypeFiles.Resolved resolveByCommits(TypeId type, Base base, Window window) {
    TypeIndex none = TypeIndex.none(type, base.head().epoch());
    return resolve(base.newest().orElseThrow(), none, window);
  }

  /** Has the index read again by the next query. */
  void forget(TypeId type) {
    known.remove(type);
  }
}
