// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cache of the states of the types this process writes to. The first time a type is asked for, all
 * its files are read, once; after that only what has been committed since.
 *
 * <p>Called by one thread at a time.
 */
public final class TypeStateCache {

  private final LedgerObjects objects;
  private final TypeFileResolver files;
  private final DataFileReader rows;
  private final Map<TypeId, TypeState> states = new HashMap<>();
  private Optional<String> epoch = Optional.empty();

  public TypeStateCache(LedgerObjects objects, ManifestChain manifestChain) {
    this.objects = objects;
    this.files = new TypeFileResolver(objects, manifestChain);
    this.rows = new DataFileReader(objects);
  }

  /** Returns the state of a type as of a base. */
  public TypeState at(TypeId type, PinnedHead pinnedHead) {
    if (!epoch.equals(pinnedHead.head().epoch())) {
      states.clear(); // initialised anew: what was known is of another ledger
      epoch = pinnedHead.head().epoch();
    }
    TypeState state = states.computeIfAbsent(type, t -> new TypeState());
    long id = pinnedHead.head().commitId();
    if (state.upTo() > id) {
      state.clear(); // initialised anew, by a program that has no epochs
    }
    if (state.upTo() < id) {
      advanceTo(type, state, pinnedHead.newest().orElseThrow(), pinnedHead);
      state.upTo(id);
    }
    return state;
  }

  /** Returns the state of a type as of some commit up to the newest, not to be kept. */
  public TypeState asOf(TypeId type, PinnedHead pinnedHead, long commitId) {
    TypeState state = new TypeState();
    if (pinnedHead.newest().isPresent() && commitId > 0) {
      load(type, state, pinnedHead, commitId);
    }
    return state;
  }

  private void advanceTo(TypeId type, TypeState state, Manifest newest, PinnedHead pinnedHead) {
    long floor = newest.type(type).floor();
    if (floor > state.upTo()) {
      state.clear();
    }
    if (state.upTo() == 0) {
      load(type, state, pinnedHead, newest.commitId());
      return;
    }
    // All before is known, so the chain is the shorter way, and costs no look at the index.
    TypeIndex none = TypeIndex.none(type, pinnedHead.head().epoch());
    long lower = state.upTo();
    TypeIndex known = new TypeIndex(type, lower, List.of(), none.epoch(), none.rest());
    TypeFileResolver.ResolvedFiles resolvedFiles =
        files.resolve(newest, known, lower, newest.commitId());
    if (resolvedFiles.lowerExclusive() > lower) {
      state.clear(); // dropped since, by a program that says so in the chain only
    }
    read(type, state, resolvedFiles, newest.commitId());
  }

  private void load(TypeId type, TypeState state, PinnedHead pinnedHead, long upper) {
    read(type, state, sources(type, pinnedHead, upper), upper);
  }

  /** Returns the files of a type up to a commit. */
  public TypeFileResolver.ResolvedFiles sources(TypeId type, PinnedHead pinnedHead, long upper) {
    Optional<String> epoch = pinnedHead.head().epoch();
    Manifest newest = pinnedHead.newest().orElseThrow();
    TypeIndex index = files.usableIndex(type, epoch, newest).orElse(TypeIndex.none(type, epoch));
    return files.resolve(newest, index, 0, upper);
  }

  private void read(
      TypeId type, TypeState state, TypeFileResolver.ResolvedFiles resolvedFiles, long upper) {
    rows.readAll(
        type.kind(),
        resolvedFiles,
        (source, row) -> {
          if (row.commitId() > resolvedFiles.lowerExclusive() && row.commitId() <= upper) {
            state.put(Digest.of(row.identity()), payload(source, row), row.commitId());
          }
        });
  }

  private Digest payload(Source source, Row row) {
    try {
      return Digest.ofPayload(row.fieldsJson());
    } catch (IOException e) {
      throw objects.corrupt(
          source.path(),
          "has in row " + row.identity() + " a fields_json that is no JSON: " + e.getMessage());
    }
  }
}
