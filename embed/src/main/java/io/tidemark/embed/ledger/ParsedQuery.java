// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ledger.AggregateSpec;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.Having;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowOrder;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.text.FilterParser;
import io.tidemark.ledger.query.GroupBuilder;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Query on an open ledger: the one place where its conditions, order and aggregates are parsed.
 *
 * @param schema schema that the rows are shown in
 */
record ParsedQuery(Ledger ledger, QueryRequest request, TypeSchema schema, CancellationToken stop) {

  static ParsedQuery of(Ledger ledger, QueryRequest request, CancellationToken cancellationToken) {
    TypeId type = TypeResolver.resolve(request.type(), ledger.reader().types());
    TypeSchema schema = asOf(ledger.query().rows(type), request).schema().orElseThrow();
    return new ParsedQuery(ledger, request, schema, cancellationToken);
  }

  private static QueryBuilder<ObjectNode> asOf(QueryBuilder<ObjectNode> now, QueryRequest request) {
    QueryBuilder<ObjectNode> query = now;
    if (request.asOf().isPresent()) {
      query =
          request.asOf().get() instanceof AsOf.AtTime at
              ? query.asOf(at.time())
              : query.asOf(((AsOf.AtCommit) request.asOf().get()).id());
    }
    return request.schemaAsOfCommit().isPresent()
        ? query.inSchemaOf(request.schemaAsOfCommit().getAsLong())
        : query;
  }

  static TidemarkException invalid(String message) {
    return new TidemarkException(ErrorCode.INVALID_REQUEST, message);
  }

  /** Returns the query of all rows that are meant, in no order. */
  QueryBuilder<ObjectNode> unordered() {
    QueryBuilder<ObjectNode> query = ledger.query().rows(schema.id()).cancelledBy(stop);
    if (request.since().isPresent() && request.history()) {
      throw invalid("\"history\" and \"since\" exclude one another; say one");
    }
    if (request.since().isPresent() || request.history()) {
      query = query.since(request.since().orElse(0));
    }
    query = asOf(query, request);
    for (String condition : request.where()) {
      query = query.where(FilterParser.parse(condition, schema));
    }
    return query;
  }

  /** Returns the query of one page. */
  QueryBuilder<ObjectNode> ordered() {
    QueryBuilder<ObjectNode> query = unordered();
    for (RowOrder rowOrder : request.order()) {
      query =
          query.orderBy(
              rowOrder.path(),
              rowOrder.direction() == RowOrder.Direction.ASC
                  ? Direction.ASCENDING
                  : Direction.DESCENDING);
    }
    if (request.limit().isPresent()) {
      query = query.limit(request.limit().getAsLong());
    }
    if (request.offset().isPresent()) {
      query = query.offset(request.offset().getAsLong());
    }
    if (request.cursor().isPresent()) {
      query = query.after(Cursor.decode(request.cursor().get()));
    }
    return request.ends() ? query.withEnds() : query;
  }

  /** Counts the rows of other versions of their schema, whatever the conditions leave out. */
  List<SchemaVersionMix> versions() {
    return LedgerResultMapper.mixes(unordered().versions());
  }

  /** Fails if the request has members that go with aggregates. */
  void requireRows() {
    if (!request.groupBy().isEmpty() || request.having().isPresent()) {
      throw invalid("\"groupBy\" and \"having\" go with \"aggregate\"");
    }
  }

  /** Fails if the request has members that go with a page of rows. */
  void requireUnpaged(String why) {
    Map<String, BooleanSupplier> paging = new LinkedHashMap<>();
    paging.put("limit", request.limit()::isPresent);
    paging.put("offset", request.offset()::isPresent);
    paging.put("cursor", request.cursor()::isPresent);
    paging.put("order", () -> !request.order().isEmpty());
    paging.put("ends", request::ends);
    paging.forEach(
        (member, given) -> {
          if (given.getAsBoolean()) {
            throw invalid(why + "; leave out \"" + member + "\"");
          }
        });
    requireGrouped();
  }

  private void requireGrouped() {
    if (request.aggregate().isEmpty()) {
      requireRows();
    } else if (request.groupBy().isEmpty() && request.having().isPresent()) {
      throw invalid("\"having\" is about groups; say \"groupBy\" too");
    }
  }

  /** Returns the aggregates by their names. */
  Map<String, Aggregate> aggregates() {
    requireUnpaged("figures are about all rows");
    Map<String, Aggregate> figures = new LinkedHashMap<>();
    request
        .aggregate()
        .forEach((name, aggregateSpec) -> figures.put(name, aggregate(name, aggregateSpec)));
    return figures;
  }

  /** Returns the groups of rows. */
  GroupBuilder groups() {
    if (request.groupBy().isEmpty()) {
      throw invalid("\"explain\" of figures is of groups, or of \"count\"");
    }
    GroupBuilder groups = unordered().groupBy(request.groupBy().toArray(String[]::new));
    return request.having().isPresent() ? having(groups, request.having().get()) : groups;
  }

  private GroupBuilder having(GroupBuilder groups, Having having) {
    Comparison comparison =
        Stream.of(Comparison.values())
            .filter(each -> each.sign().equals(having.is()))
            .findFirst()
            .orElseThrow(
                () ->
                    invalid(
                        "\"is\" is one of =, !=, <, <=, >, >=, unlike \"" + having.is() + "\""));
    Aggregate figure = aggregate("having", having.figure());
    JsonNode value = having.value();
    if (value.isNumber()) {
      return groups.having(figure, comparison, value.decimalValue());
    }
    if (value.isTextual()) {
      return groups.having(figure, comparison, value.textValue());
    }
    throw invalid("the \"value\" of \"having\" is a number or a text");
  }

  private Aggregate aggregate(String name, AggregateSpec aggregateSpec) {
    String of = aggregateSpec.of();
    return switch (aggregateSpec.function()) {
      case "count" -> Aggregate.count();
      case "sum" -> Aggregate.sum(of);
      case "avg" -> Aggregate.avg(of);
      case "min" -> Aggregate.min(of);
      case "max" -> Aggregate.max(of);
      case "avgLen" -> Aggregate.avgLen(of);
      case "countWhere" -> Aggregate.countWhere(FilterParser.parse(of, schema));
      default ->
          throw invalid(
              "the figure \""
                  + name
                  + "\" is \"count\", or one of sum, avg, min, max, avgLen with a field, or"
                  + " countWhere with a condition, such as {\"avg\": \"age\"}");
    };
  }
}
