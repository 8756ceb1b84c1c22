// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.Keys;
import io.tidemark.ledger.internal.duckdb.LocalFiles.Local;
import io.tidemark.ledger.internal.duckdb.LocalFiles.Origin;
import io.tidemark.ledger.internal.duckdb.Relations;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.TypeFiles.Source;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows of types in a replica that has been brought up to the head of a query. */
final class ReplicaRelations implements Relations {

  private final Map<TypeId, Fed> fed;
  private final List<Step> steps;

  ReplicaRelations(Map<TypeId, Fed> fed, List<Step> steps) {
    this.fed = Map.copyOf(fed);
    this.steps = List.copyOf(steps);
  }

  @Override
  public String of(TypeView type, Window window, Keys keys) {
    return versions(type).of(window, keys);
  }

  @Override
  public Place place(TypeView type, Window window, Keys keys) {
    return versions(type).place(window, keys);
  }

  private Versions versions(TypeView type) {
    Fed table = fed.get(type.id());
    if (table == null) {
      throw new IllegalStateException(type.id() + " hasn't been fed");
    }
    return new Versions(type, table.table());
  }

  /** Whether it has the same tables as another. */
  boolean hasTablesOf(ReplicaRelations other) {
    return tables().equals(other.tables());
  }

  private Set<String> tables() {
    return fed.values().stream().map(Fed::table).collect(Collectors.toUnmodifiableSet());
  }

  /** The files that were read to bring it up. */
  List<Explanation.File> files() {
    List<Explanation.File> files = new ArrayList<>();
    for (Step step : steps) {
      for (int i = 0; i < step.sources().size(); i++) {
        Source source = step.sources().get(i);
        Local copy = step.copies().get(i);
        long fetched = copy.origin() == Origin.FETCHED ? copy.bytes() : 0;
        files.add(
            new Explanation.File(source.path(), source.min(), source.max(), copy.bytes(), fetched));
      }
    }
    return files;
  }
}
