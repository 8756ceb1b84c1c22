// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DuckDbExecutor;
import io.tidemark.ledger.internal.duckdb.QueryFailedException;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica.LoadPolicy;
import io.tidemark.ledger.internal.replica.Replica.LoadedRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Executor of queries as of a head on a replica, or on files where that can't be.
 *
 * <p>A query that fails on the replica is asked of the files. If it fails there too, the query is
 * to blame; if it doesn't, the replica is, and is given up. An exception is a replica whose tables
 * were replaced meanwhile: the query is then asked of the new tables.
 */
public final class ReplicaExecutor implements QueryExecutor {

  private final Replica replica;
  private final LoadPolicy loadPolicy;
  private final PinnedHead pinnedHead;
  private final QueryExecutor files;
  private final CancellationToken cancellationToken;

  /**
   * Creates an executor for queries of one head.
   *
   * @param files answers what the replica doesn't
   */
  public ReplicaExecutor(
      Replica replica,
      LoadPolicy loadPolicy,
      PinnedHead pinnedHead,
      QueryExecutor files,
      CancellationToken cancellationToken) {
    this.replica = replica;
    this.loadPolicy = loadPolicy;
    this.pinnedHead = pinnedHead;
    this.files = files;
    this.cancellationToken = cancellationToken;
  }

  @Override
  public Stream<MatchedRow> rows(QueryPlan queryPlan) {
    return answer(queryPlan, queryExecutor -> queryExecutor.rows(queryPlan));
  }

  @Override
  public List<Group> groups(QueryPlan queryPlan) {
    return answer(queryPlan, queryExecutor -> queryExecutor.groups(queryPlan));
  }

  @Override
  public SortedMap<Long, Long> versions(QueryPlan queryPlan, TypeView type, Window window) {
    return answer(queryPlan, queryExecutor -> queryExecutor.versions(queryPlan, type, window));
  }

  /** Explains how the replica would answer; empty when the files would. */
  public Optional<ReplicaExplanation> explain(QueryPlan queryPlan) {
    Optional<LoadedRows> ready = ready(queryPlan);
    while (ready.isPresent()) {
      ReplicaRowSource asked = ready.get().relations();
      try {
        DuckDbExecutor executor = on(ready.get());
        String sql = executor.sql(queryPlan);
        return Optional.of(new ReplicaExplanation(sql, asked.files(), executor.explain(sql)));
      } catch (QueryFailedException e) {
        ready = replica.awaitIdleAt(types(queryPlan), pinnedHead, loadPolicy);
        if (ready.filter(now -> now.relations().hasTablesOf(asked)).isPresent()) {
          throw e;
        }
      }
    }
    return Optional.empty();
  }

  private <A> A answer(QueryPlan queryPlan, Function<QueryExecutor, A> question) {
    Optional<LoadedRows> ready = ready(queryPlan);
    while (ready.isPresent()) {
      ReplicaRowSource asked = ready.get().relations();
      try {
        return question.apply(on(ready.get()));
      } catch (QueryFailedException | IllegalStateException e) { // the latter: another gave it up
        ready = replica.awaitIdleAt(types(queryPlan), pinnedHead, loadPolicy);
        if (ready.filter(now -> now.relations().hasTablesOf(asked)).isPresent()) {
          A answer = question.apply(files);
          replica.disable(e);
          return answer;
        }
      }
    }
    return question.apply(files);
  }

  private DuckDbExecutor on(LoadedRows loadedRows) {
    return new DuckDbExecutor(loadedRows.database(), loadedRows.relations(), cancellationToken);
  }

  /** Returns the rows of a replica, which are in current schemas; files answer for older ones. */
  private Optional<LoadedRows> ready(QueryPlan queryPlan) {
    return queryPlan.query().temporal().schemaOf().isPresent()
        ? Optional.empty()
        : replica.at(types(queryPlan), pinnedHead, loadPolicy);
  }

  private static List<TypeView> types(QueryPlan queryPlan) {
    List<TypeView> types = new ArrayList<>(List.of(queryPlan.binding().self()));
    queryPlan
        .binding()
        .ends()
        .forEach(
            (side, type) -> {
              if (references(queryPlan, side)) {
                types.add(type);
              }
            });
    return types;
  }

  private static boolean references(QueryPlan queryPlan, Side side) {
    return queryPlan.needsEnd(side) || FilterTrees.references(queryPlan.query().filter(), side);
  }
}
