// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DuckDbExecutor;
import io.tidemark.ledger.internal.duckdb.QueryFailedException;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica.Eagerness;
import io.tidemark.ledger.internal.replica.Replica.Ready;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.Trees;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Answers queries as of a head by a replica, or by files where that can't be.
 *
 * <p>A query that fails on the replica is asked of the files. If it fails there too, the query is
 * to blame; if it doesn't, the replica is, and is given up. That is, unless its tables are others
 * by now: then it came between, and is asked of these.
 */
public final class ReplicaExecutor implements Executor {

  private final Replica replica;
  private final Eagerness eagerness;
  private final Base base;
  private final Executor files;
  private final Stop stop;

  /**
   * An executor for queries of one head.
   *
   * @param files answers what the replica doesn't
   */
  public ReplicaExecutor(
      Replica replica, Eagerness eagerness, Base base, Executor files, Stop stop) {
    this.replica = replica;
    this.eagerness = eagerness;
    this.base = base;
    this.files = files;
    this.stop = stop;
  }

  @Override
  public Stream<Found> rows(Plan plan) {
    return answer(plan, executor -> executor.rows(plan));
  }

  @Override
  public List<Group> groups(Plan plan) {
    return answer(plan, executor -> executor.groups(plan));
  }

  @Override
  public SortedMap<Long, Long> versions(Plan plan, TypeView type, Window window) {
    return answer(plan, executor -> executor.versions(plan, type, window));
  }

  /** How the replica would answer; empty when the files would. */
  public Optional<OnReplica> onReplica(Plan plan) {
    Optional<Ready> ready = ready(plan);
    while (ready.isPresent()) {
      ReplicaRelations asked = ready.get().relations();
      try {
        DuckDbExecutor executor = on(ready.get());
        String sql = executor.sql(plan);
        return Optional.of(new OnReplica(sql, asked.files(), executor.howItGoes(sql)));
      } catch (QueryFailedException e) {
        ready = replica.afterwardsAt(types(plan), base, eagerness);
        if (ready.filter(now -> now.relations().hasTablesOf(asked)).isPresent()) {
          throw e;
        }
      }
    }
    return Optional.empty();
  }

  private <A> A answer(Plan plan, Function<Executor, A> question) {
    Optional<Ready> ready = ready(plan);
    while (ready.isPresent()) {
      ReplicaRelations asked = ready.get().relations();
      try {
        return question.apply(on(ready.get()));
      } catch (QueryFailedException | IllegalStateException e) { // the latter: another gave it up
        ready = replica.afterwardsAt(types(plan), base, eagerness);
        if (ready.filter(now -> now.relations().hasTablesOf(asked)).isPresent()) {
          A answer = question.apply(files);
          replica.giveUp(e);
          return answer;
        }
      }
    }
    return question.apply(files);
  }

  private DuckDbExecutor on(Ready ready) {
    return new DuckDbExecutor(ready.database(), ready.relations(), stop);
  }

  /** Rows of a replica are in the schemas of now; who asks for others is answered by files. */
  private Optional<Ready> ready(Plan plan) {
    return plan.query().temporal().schemaOf().isPresent()
        ? Optional.empty()
        : replica.at(types(plan), base, eagerness);
  }

  private static List<TypeView> types(Plan plan) {
    List<TypeView> types = new ArrayList<>(List.of(plan.binding().self()));
    plan.binding()
        .ends()
        .forEach(
            (side, type) -> {
              if (looksAt(plan, side)) {
                types.add(type);
              }
            });
    return types;
  }

  private static boolean looksAt(Plan plan, Side side) {
    return plan.needsEnd(side) || Trees.looksAt(plan.query().filter(), side);
  }
}
