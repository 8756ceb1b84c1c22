// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.SqlQuery;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.query.sql.SqlAnswer;
import io.tidemark.ledger.query.sql.SqlLimits;
import io.tidemark.ledger.view.AnswerJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.ledgers.Members.Moment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Questions in SQL. */
final class SqlRoutes {

  private final LedgerCache open;
  private final Turnstile queries;

  SqlRoutes(LedgerCache open, Turnstile queries) {
    this.open = open;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", LedgerRoutes.ONE + "/sql", LedgerRoutes.need(Action.READ), this::sql)
            .reading());
  }

  /** What the server allows, or less if that is asked for. */
  private static SqlLimits limits(Call call, Members body) {
    SqlLimits most = call.limits().sql();
    long rows = body.number("maxRows", 0, most.rows()).orElse(most.rows());
    Optional<Long> megabytes =
        body.number("memoryMegabytes", 16, Math.max(16, most.memoryBytes() / 1_000_000));
    return new SqlLimits(
        QueryRoutes.time(call, body),
        megabytes.map(some -> some + "MB").orElse(most.memory()),
        most.disk(),
        rows);
  }

  private static SqlQuery query(Ledger ledger, Members body, SqlLimits limits) {
    SqlQuery query =
        ledger.query().sql(body.requiredText("sql")).with(body.list("parameters")).within(limits);
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

  private Reply sql(Call call) throws IOException {
    Members body = Members.of(call);
    SqlLimits limits = limits(call, body);
    if (body.flag("explain")) {
      try (Turnstile.Visit unused = queries.enter()) {
        return open.with(
            LedgerRoutes.address(call),
            ledger ->
                Reply.ok(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("steps", query(ledger, body, limits).explain())));
      }
    }
    boolean lines = Streams.wantsLines(call);
    List<VersionMix> mixes = new ArrayList<>();
    Reply reply =
        Streams.streamed(
            call,
            lines ? Streams.LINES : Reply.JSON,
            Map.of(),
            held -> {
              Turnstile.Visit unused = held.add(queries.enter());
              Deadline deadline = held.add(new Deadline(call, limits.time()));
              Ledger ledger = held.add(open.lend(LedgerRoutes.address(call))).ledger();
              SqlAnswer answer =
                  held.add(
                      query(ledger, body, limits)
                          .until(deadline.stop())
                          .telling(
                              told -> {
                                mixes.addAll(told);
                                deadline.restart(); // the statement has all of its time yet
                              })
                          .answer());
              return sheet -> {
                if (lines) {
                  rows(answer, sheet::line);
                } else {
                  ObjectNode head =
                      JsonNodeFactory.instance.objectNode().put("commit_id", answer.commitId());
                  head.set("columns", AnswerJson.columns(answer));
                  SchemaVersions.noted(head, mixes);
                  sheet.document(head, "rows", out -> rows(answer, out));
                }
              };
            });
    return SchemaVersions.noted(reply, mixes);
  }

  private static void rows(SqlAnswer answer, Consumer<JsonNode> out) {
    for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
      out.accept(AnswerJson.row(answer, row.get()));
    }
  }
}
