// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.GroupBuilder;
import io.tidemark.ledger.query.GroupRow;
import io.tidemark.ledger.query.Hit;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Order.Direction;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.query.text.FilterText;
import io.tidemark.ledger.query.text.InvalidFilterException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.view.AnswerJson;
import io.tidemark.ledger.view.RowJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.ledgers.Members.Moment;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Questions about the rows of a type, at any time. */
final class QueryRoutes {

  private final LedgerCache open;
  private final Turnstile queries;

  QueryRoutes(LedgerCache open, Turnstile queries) {
    this.open = open;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", LedgerRoutes.ONE + "/query", LedgerRoutes.need(Action.READ), this::query)
            .reading());
  }

  /** How long a question may take: what the server allows, or less if that is asked for. */
  static Duration time(Call call, Members body) {
    long most = call.limits().sql().time().toMillis();
    return Duration.ofMillis(body.number("timeoutMillis", 1, most).orElse(most));
  }

  private Reply query(Call call) throws IOException {
    Members body = Members.of(call);
    boolean figures = body.flag("count") || body.any("aggregate").isPresent();
    try {
      if (Streams.wantsLines(call) && !figures && !body.flag("explain")) {
        return lines(call, body);
      }
      try (Turnstile.Visit unused = queries.enter();
          Deadline deadline = new Deadline(call, time(call, body))) {
        return open.with(
            LedgerRoutes.address(call),
            ledger -> {
              Question question = new Question(ledger, body, deadline);
              ObjectNode answer = answer(question, call);
              List<VersionMix> mixes = question.all().versions();
              return SchemaVersions.noted(Reply.ok(SchemaVersions.noted(answer, mixes)), mixes);
            });
      }
    } catch (InvalidFilterException e) {
      throw new ProblemException(Problem.of(e).with("position", IntNode.valueOf(e.position())));
    }
  }

  /** What is asked, as far as it is known to be right. */
  private record Question(Ledger ledger, Members body, TypeSchema schema, Deadline deadline) {

    Question(Ledger ledger, Members body, Deadline deadline) {
      this(ledger, body, schema(ledger, body), deadline);
    }

    private static TypeSchema schema(Ledger ledger, Members body) {
      TypeId type = TypeRoutes.resolve(body.requiredText("type"), ledger.contents().types());
      return when(ledger.query().rows(type), body).schema().orElseThrow();
    }

    /** As of the moment, and in the schema, that are asked for. */
    private static QueryBuilder<ObjectNode> when(QueryBuilder<ObjectNode> now, Members body) {
      QueryBuilder<ObjectNode> query = now;
      Optional<Moment> asOf = body.moment("asOf");
      if (asOf.isPresent()) {
        query =
            asOf.get() instanceof Moment.AtTime at
                ? query.asOf(at.time())
                : query.asOf(((Moment.AtCommit) asOf.get()).id());
      }
      Optional<Long> schemaOf = body.number("schemaAsOfCommit", 0, Long.MAX_VALUE);
      return schemaOf.isPresent() ? query.inSchemaOf(schemaOf.get()) : query;
    }

    /** All rows that are meant. */
    QueryBuilder<ObjectNode> all() {
      QueryBuilder<ObjectNode> query = ledger.query().rows(schema.id()).until(deadline.stop());
      Optional<Long> since = body.number("since", 0, Long.MAX_VALUE);
      if (since.isPresent() && body.flag("history")) {
        throw Call.invalid("\"history\" and \"since\" exclude one another; say one");
      }
      if (since.isPresent() || body.flag("history")) {
        query = query.since(since.orElse(0L));
      }
      query = when(query, body);
      for (String condition : body.texts("where")) {
        query = query.where(FilterText.parse(condition, schema));
      }
      return query;
    }

    /** Those of one page, in their order. */
    QueryBuilder<ObjectNode> ordered() {
      QueryBuilder<ObjectNode> query = all();
      for (String order : body.texts("order")) {
        String[] words = order.trim().split("\\s+", -1);
        String direction = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "asc";
        if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
          throw Call.invalid(
              "\"order\" takes a field, and asc or desc behind it, unlike \"" + order + "\"");
        }
        query =
            query.orderBy(
                words[0], direction.equals("asc") ? Direction.ASCENDING : Direction.DESCENDING);
      }
      Optional<Long> offset = body.number("offset", 0, Long.MAX_VALUE);
      query = offset.isPresent() ? query.offset(offset.get()) : query;
      Optional<String> cursor = body.text("cursor");
      query = cursor.isPresent() ? query.after(Cursor.decode(cursor.get())) : query;
      return body.flag("ends") ? query.withEnds() : query;
    }
  }

  private static ObjectNode answer(Question question, Call call) {
    Members body = question.body;
    boolean explain = body.flag("explain");
    if (body.any("aggregate").isPresent()) {
      return figures(question, explain);
    }
    if (body.any("groupBy").isPresent() || body.any("having").isPresent()) {
      throw Call.invalid("\"groupBy\" and \"having\" go with \"aggregate\"");
    }
    if (body.flag("count")) {
      requireUnpaged(body, "\"count\" counts all rows");
      return explain
          ? AnswerJson.explanation(question.all().explain(Aggregate.count()))
          : AnswerJson.count(question.all().count());
    }
    long limit = body.number("limit", 1, call.limits().pageSize()).orElse(100L);
    QueryBuilder<ObjectNode> page = question.ordered().limit(limit);
    return explain
        ? AnswerJson.explanation(page.explain())
        : AnswerJson.page(page.page(), Optional.empty());
  }

  private static void requireUnpaged(Members body, String why) {
    for (String member : List.of("limit", "offset", "cursor", "order", "ends")) {
      if (body.any(member).isPresent()) {
        throw Call.invalid(why + "; leave out \"" + member + "\"");
      }
    }
  }

  private static ObjectNode figures(Question question, boolean explain) {
    Members body = question.body;
    requireUnpaged(body, "figures are about all rows");
    Map<String, Aggregate> figures = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : body.object("aggregate").properties()) {
      figures.put(each.getKey(), aggregate(each.getKey(), each.getValue(), question.schema));
    }
    List<String> by = body.texts("groupBy");
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (by.isEmpty()) {
      if (body.any("having").isPresent()) {
        throw Call.invalid("\"having\" is about groups; say \"groupBy\" too");
      }
      if (explain) {
        throw Call.invalid("\"explain\" of figures is of groups, or of \"count\"");
      }
      ObjectNode values = json.putObject("figures");
      question.all().figures(figures).forEach(values::set);
      return json;
    }
    GroupBuilder groups = question.all().groupBy(by.toArray(new String[0]));
    if (body.any("having").isPresent()) {
      groups = having(groups, body.members("having"), question.schema);
    }
    if (explain) {
      return AnswerJson.explanation(groups.explain(figures));
    }
    ArrayNode list = json.putArray("groups");
    for (GroupRow row : groups.agg(figures)) {
      ObjectNode group = list.addObject();
      ObjectNode key = group.putObject("key");
      row.key().forEach(key::set);
      ObjectNode values = group.putObject("figures");
      row.figures().forEach(values::set);
    }
    return json;
  }

  private static GroupBuilder having(GroupBuilder groups, Members having, TypeSchema schema) {
    String sign = having.requiredText("is");
    Comparison comparison =
        Stream.of(Comparison.values())
            .filter(each -> each.sign().equals(sign))
            .findFirst()
            .orElseThrow(
                () ->
                    Call.invalid("\"is\" is one of =, !=, <, <=, >, >=, unlike \"" + sign + "\""));
    Aggregate figure =
        aggregate(
            "having",
            having.any("figure").orElseThrow(() -> Call.invalid("\"having\" needs a \"figure\"")),
            schema);
    JsonNode value =
        having.any("value").orElseThrow(() -> Call.invalid("\"having\" needs a \"value\""));
    if (value.isNumber()) {
      return groups.having(figure, comparison, value.decimalValue());
    }
    if (value.isTextual()) {
      return groups.having(figure, comparison, value.textValue());
    }
    throw Call.invalid("the \"value\" of \"having\" is a number or a text");
  }

  /** Such as {@code "count"}, {@code {"avg": "age"}} and {@code {"countWhere": "age > 30"}}. */
  private static Aggregate aggregate(String name, JsonNode given, TypeSchema schema) {
    if (given.isTextual() && given.textValue().equals("count")) {
      return Aggregate.count();
    }
    if (given.isObject() && given.size() == 1) {
      Map.Entry<String, JsonNode> only = given.properties().iterator().next();
      if (only.getValue().isTextual()) {
        Optional<Aggregate> figure = aggregate(only.getKey(), only.getValue().textValue(), schema);
        if (figure.isPresent()) {
          return figure.get();
        }
      }
    }
    throw Call.invalid(
        "the figure \""
            + name
            + "\" is \"count\", or one of sum, avg, min, max, avgLen with a field, or countWhere"
            + " with a condition, such as {\"avg\": \"age\"}");
  }

  private static Optional<Aggregate> aggregate(String word, String of, TypeSchema schema) {
    return switch (word) {
      case "sum" -> Optional.of(Aggregate.sum(of));
      case "avg" -> Optional.of(Aggregate.avg(of));
      case "min" -> Optional.of(Aggregate.min(of));
      case "max" -> Optional.of(Aggregate.max(of));
      case "avgLen" -> Optional.of(Aggregate.avgLen(of));
      case "countWhere" -> Optional.of(Aggregate.countWhere(FilterText.parse(of, schema)));
      default -> Optional.empty();
    };
  }

  /** As many rows as there are, or as the limit says. */
  private Reply lines(Call call, Members body) throws IOException {
    Optional<Long> limit = body.number("limit", 0, Long.MAX_VALUE);
    List<VersionMix> mixes = new ArrayList<>();
    Reply reply =
        Streams.streamed(
            call,
            Streams.LINES,
            Map.of(),
            held -> {
              Turnstile.Visit unused = held.add(queries.enter());
              Deadline deadline = held.add(new Deadline(call, time(call, body)));
              Ledger ledger = held.add(open.lend(LedgerRoutes.address(call))).ledger();
              Question question = new Question(ledger, body, deadline);
              QueryBuilder<ObjectNode> query = question.ordered();
              mixes.addAll(question.all().versions());
              Stream<Hit<ObjectNode>> rows =
                  held.add((limit.isPresent() ? query.limit(limit.get()) : query).stream());
              return sheet -> rows.forEach(hit -> sheet.line(RowJson.hit(hit)));
            });
    return SchemaVersions.noted(reply, mixes);
  }
}
