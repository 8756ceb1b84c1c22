// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.RowFiles;
import io.tidemark.ledger.internal.store.TypeFiles;
import io.tidemark.ledger.internal.store.TypeFiles.Source;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The states of the types this process writes to. The first time a type is asked for, all its files
 * are read, once; after that only what has been committed since.
 *
 * <p>Called by one thread at a time.
 */
public final class TypeStates {

  private final LedgerObjects objects;
  private final TypeFiles files;
  private final RowFiles rows;
  private final Map<TypeId, TypeState> states = new HashMap<>();
  private Optional<String> epoch = Optional.empty();

  public TypeStates(LedgerObjects objects, Chain chain) {
    this.objects = objects;
    this.files = new TypeFiles(objects, chain);
    this.rows = new RowFiles(objects);
  }

  /** The state of a type as of a base. */
  public TypeState at(TypeId type, Base base) {
    if (!epoch.equals(base.head().epoch())) {
      states.clear(); // initialised anew: what was known is of another ledger
      epoch = base.head().epoch();
    }
    TypeState state = states.computeIfAbsent(type, t -> new TypeState());
    long id = base.head().commitId();
    if (state.upTo() > id) {
      state.clear(); // initialised anew, by a program that has no epochs
    }
    if (state.upTo() < id) {
      bringUp(type, state, base.newest().orElseThrow(), base);
      state.upTo(id);
    }
    return state;
  }

  /** The state of a type as of some commit up to the newest, not to be kept. */
  public TypeState asOf(TypeId type, Base base, long commitId) {
    TypeState state = new TypeState();
    if (base.newest().isPresent() && commitId > 0) {
      load(type, state, base, commitId);
    }
    return state;
  }

  private void bringUp(TypeId type, TypeState state, Manifest newest, Base base) {
    long floor = newest.type(type).floor();
    if (floor > state.upTo()) {
      state.clear();
    }
    if (state.upTo() == 0) {
      load(type, state, base, newest.commitId());
      return;
    }
    // All before is known, so the chain is the shorter way, and costs no look at the index.
    TypeIndex none = TypeIndex.none(type, base.head().epoch());
    long lower = state.upTo();
    TypeIndex known = new TypeIndex(type, lower, List.of(), none.epoch(), none.rest());
    TypeFiles.Resolved resolved = files.resolve(newest, known, lower, newest.commitId());
    if (resolved.lowerExclusive() > lower) {
      state.clear(); // dropped since, by a program that says so in the chain only
    }
    read(type, state, resolved, newest.commitId());
  }

  private void load(TypeId type, TypeState state, Base base, long upper) {
    read(type, state, sources(type, base, upper), upper);
  }

  /** The files of a type up to a commit. */
  public TypeFiles.Resolved sources(TypeId type, Base base, long upper) {
    Optional<String> epoch = base.head().epoch();
    Manifest newest = base.newest().orElseThrow();
    TypeIndex index = files.trusted(type, epoch, newest).orElse(TypeIndex.none(type, epoch));
    return files.resolve(newest, index, 0, upper);
  }

  private void read(TypeId type, TypeState state, TypeFiles.Resolved resolved, long upper) {
    rows.readAll(
        type.kind(),
        resolved,
        (source, row) -> {
          if (row.commitId() > resolved.lowerExclusive() && row.commitId() <= upper) {
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
