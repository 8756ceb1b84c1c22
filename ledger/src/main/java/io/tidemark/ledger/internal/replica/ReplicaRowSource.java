// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DataFileCache.CachedFile;
import io.tidemark.ledger.internal.duckdb.DataFileCache.Origin;
import io.tidemark.ledger.internal.duckdb.KeyFilter;
import io.tidemark.ledger.internal.duckdb.SqlRowSource;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Source of the rows of types in a replica that has been brought up to the head of a query. */
final class ReplicaRowSource implements SqlRowSource {

  private final Map<TypeId, LoadedTable> fed;
  private final List<LoadBatch> steps;

  ReplicaRowSource(Map<TypeId, LoadedTable> fed, List<LoadBatch> steps) {
    this.fed = Map.copyOf(fed);
    this.steps = List.copyOf(steps);
  }

  @Override
  public String relation(TypeView type, Window window, KeyFilter keyFilter) {
    return versions(type).of(window, keyFilter);
  }

  @Override
  public FromClause fromClause(TypeView type, Window window, KeyFilter keyFilter) {
    return versions(type).place(window, keyFilter);
  }

  private VersionTableSql versions(TypeView type) {
    LoadedTable table = fed.get(type.id());
    if (table == null) {
      throw new IllegalStateException(type.id() + " hasn't been fed");
    }
    return new VersionTableSql(type, table.table());
  }

  /** Returns whether it has the same tables as another. */
  boolean hasTablesOf(ReplicaRowSource other) {
    return tables().equals(other.tables());
  }

  private Set<String> tables() {
    return fed.values().stream().map(LoadedTable::table).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the files that were read to bring the replica up to the head. */
  List<Explanation.File> files() {
    List<Explanation.File> files = new ArrayList<>();
    for (LoadBatch loadBatch : steps) {
      for (int i = 0; i < loadBatch.sources().size(); i++) {
        Source source = loadBatch.sources().get(i);
        CachedFile copy = loadBatch.copies().get(i);
        long fetched = copy.origin() == Origin.FETCHED ? copy.bytes() : 0;
        files.add(
            new Explanation.File(source.path(), source.min(), source.max(), copy.bytes(), fetched));
      }
    }
    return files;
  }
}
