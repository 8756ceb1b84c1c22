// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cache of the files that hold the rows of types. The index of a type is read once; later commits
 * are taken from the manifests, to which the head leads. So a query on an unchanged ledger requests
 * only the head from the store. After some commits the index is read again, since it may have been
 * compacted.
 */
public final class TypeFileCache {

  /** Number of files of later commits after which an index is read again. */
  private static final int LOOK_AGAIN = 32;

  private final TypeFileResolver files;
  private final Map<TypeId, CachedIndex> known = new ConcurrentHashMap<>();

  public TypeFileCache(LedgerObjects objects, ManifestChain manifestChain) {
    this.files = new TypeFileResolver(objects, manifestChain);
  }

  /**
   * Index, with the files of later commits.
   *
   * @param entriesWhenRead number of its files when it was last read
   */
  private record CachedIndex(TypeIndex index, int entriesWhenRead) {

    static CachedIndex of(TypeIndex index) {
      return new CachedIndex(index, index.entries().size());
    }

    boolean isOf(Optional<String> epoch, Manifest newest) {
      return index.epoch().equals(epoch) && index.maxIndexedCommit() <= newest.commitId();
    }

    boolean isDueForReload() {
      return index.entries().size() - entriesWhenRead >= LOOK_AGAIN;
    }
  }

  /** Returns the files of a window, as of a head. */
  public TypeFileResolver.ResolvedFiles resolve(TypeId type, PinnedHead pinnedHead, Window window) {
    if (pinnedHead.newest().isEmpty() || window.isEmpty()) {
      return new TypeFileResolver.ResolvedFiles(
          List.of(), window.lowerExclusive(), Optional.empty());
    }
    Manifest newest = pinnedHead.newest().get();
    Optional<String> epoch = pinnedHead.head().epoch();
    CachedIndex before = known.get(type);
    if (before == null || !before.isOf(epoch, newest)) {
      TypeIndex read = read(type, epoch, newest);
      TypeFileResolver.ResolvedFiles resolvedFiles = resolve(newest, read, window);
      // An index that contradicts the chain isn't extended; the next query reads it again.
      if (resolvedFiles.warning().isEmpty()) {
        follow(CachedIndex.of(read), newest);
      }
      return resolvedFiles;
    }
    CachedIndex now = before.isDueForReload() ? reload(before, newest) : before;
    TypeFileResolver.ResolvedFiles resolvedFiles = resolve(newest, now.index(), window);
    follow(now, newest);
    return resolvedFiles;
  }

  /** Returns the stored index, unless it has less than the cached one. */
  private CachedIndex reload(CachedIndex before, Manifest newest) {
    TypeIndex read = read(before.index().type(), before.index().epoch(), newest);
    boolean sound =
        resolve(newest, read, 0, newest.commitId()).warning().isEmpty()
            && read.maxIndexedCommit() <= newest.commitId();
    return CachedIndex.of(sound ? read : before.index());
  }

  private void follow(CachedIndex from, Manifest newest) {
    TypeIndex index = from.index();
    List<TypeIndex.Entry> later = files.gap(newest, index.type(), index.maxIndexedCommit());
    TypeIndex next = index.with(later, newest.commitId());
    known.put(index.type(), new CachedIndex(next, from.entriesWhenRead()));
  }

  private TypeIndex read(TypeId type, Optional<String> epoch, Manifest newest) {
    return files.usableIndex(type, epoch, newest).orElse(TypeIndex.none(type, epoch));
  }

  private TypeFileResolver.ResolvedFiles resolve(Manifest newest, TypeIndex index, Window window) {
    return resolve(newest, index, window.lowerExclusive(), window.upper());
  }

  private TypeFileResolver.ResolvedFiles resolve(
      Manifest newest, TypeIndex index, long lower, long upper) {
    return files.resolve(newest, index, lower, upper);
  }

  /**
   * Returns the files of a window by the commits alone, for when a file that an index named is
   * unusable.
   */
  TypeFileResolver.ResolvedFiles resolveByCommits(
      TypeId type, PinnedHead pinnedHead, Window window) {
    TypeIndex none = TypeIndex.none(type, pinnedHead.head().epoch());
    return resolve(pinnedHead.newest().orElseThrow(), none, window);
  }

  /** Has the index read again by the next query. */
  void invalidate(TypeId type) {
    known.remove(type);
  }
}
