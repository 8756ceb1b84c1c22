// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import static io.tidemark.ledger.query.model.Fields.field;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.query.GroupRow;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import java.util.Map;

/** Ours. */
record LedgerQueryRunner(Queries queries, QueryDataset data) implements QueryRunner {

  @Override
  public long answer(BenchQuery benchQuery, long customer) {
    QueryBuilder<ObjectNode> all = queries.entities("Customer");
    return switch (benchQuery) {
      case LATEST -> visits(all.limit(data.shown()));
      case AS_OF -> visits(all.asOf(data.half()).limit(data.shown()));
      case POINT -> visits(all.where(field("id").eq(QueryDataset.key(customer))));
      case FILTER -> all.where(field("active").isTrue().and(field("city").eq("Porto"))).count();
      case AGGREGATE -> faro(all);
      case HISTORY -> visits(all.where(field("id").eq(QueryDataset.key(customer))).history());
    };
  }

  private static long visits(QueryBuilder<ObjectNode> query) {
    return query.list().stream()
        .mapToLong(resultRow -> resultRow.value().path("visits").asLong())
        .sum();
  }

  private static long faro(QueryBuilder<ObjectNode> all) {
    Map<String, Aggregate> figures =
        Map.of("count", Aggregate.count(), "balance", Aggregate.avg("balance"));
    return all.groupBy("city").agg(figures).stream()
        .filter(row -> row.key().values().iterator().next().asText().equals("Faro"))
        .mapToLong(LedgerQueryRunner::count)
        .sum();
  }

  private static long count(GroupRow row) {
    return row.figures().getOrDefault("count", MissingNode.getInstance()).asLong();
  }
}
