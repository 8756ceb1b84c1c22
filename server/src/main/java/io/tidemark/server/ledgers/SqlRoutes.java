// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.SqlHeader;
import io.tidemark.api.ledger.SqlRequest;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Routes of SQL queries. */
final class SqlRoutes {

  private static final String PARQUET = "application/vnd.apache.parquet";

  private final LedgerServiceResolver ledgers;
  private final QueryLimiter queries;

  SqlRoutes(LedgerServiceResolver ledgers, QueryLimiter queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route(
                "POST", LedgerRoutes.ONE + "/sql", LedgerRoutes.permission(Action.READ), this::sql)
            .asReadOnly());
  }

  /** Returns the request with the server's limits, or with lower ones that it asks for. */
  private static SqlRequest limited(
      SqlRequest request, HttpRequestContext httpRequestContext, boolean toFile) {
    SqlLimits most = httpRequestContext.limits().sql();
    long memory = Math.max(16, most.memoryBytes() / 1_000_000);
    if (!toFile) {
      require("maxRows", request.maxRows(), most.rows());
    }
    require("memoryMegabytes", request.memoryMegabytes(), memory);
    return request.withTimeoutMillis(
        OptionalLong.of(QueryRoutes.time(httpRequestContext, request.timeoutMillis()).toMillis()));
  }

  private static void require(String member, OptionalLong value, long most) {
    if (value.isPresent() && value.getAsLong() > most) {
      throw HttpRequestContext.invalid(
          "\"%s\" is a whole number of at most %d, unlike %d"
              .formatted(member, most, value.getAsLong()));
    }
  }

  /**
   * Returns a timer with twice the limit of the statement. The statement has a limit of its own,
   * which excludes the preceding steps.
   */
  private static QueryTimeout deadline(HttpRequestContext httpRequestContext, SqlRequest request) {
    return new QueryTimeout(
        httpRequestContext, Duration.ofMillis(2 * request.timeoutMillis().orElse(0)));
  }

  private RouteResponse sql(HttpRequestContext httpRequestContext) throws IOException {
    boolean toFile =
        httpRequestContext.header("Accept").filter(types -> types.contains(PARQUET)).isPresent();
    SqlRequest request =
        limited(httpRequestContext.body(SqlRequest.class), httpRequestContext, toFile);
    if (request.explain()) {
      try (QueryLimiter.Permit unused = queries.acquire();
          QueryTimeout queryTimeout = deadline(httpRequestContext, request)) {
        LedgerSql sql =
            ledgers
                .of(httpRequestContext)
                .withCancellation(queryTimeout.cancellation())
                .queries()
                .sql();
        return RouteResponse.ok(
            JsonNodeFactory.instance.objectNode().put("steps", sql.explain(request)));
      }
    }
    if (toFile) {
      return parquet(httpRequestContext, request);
    }
    StreamedResponses.StartedResult<ResultStream<SqlHeader, ObjectNode>> startedResult =
        StreamedResponses.start(
            resources -> {
              QueryLimiter.Permit unused = resources.add(queries.acquire());
              QueryTimeout queryTimeout = resources.add(deadline(httpRequestContext, request));
              return ledgers
                  .of(httpRequestContext)
                  .withCancellation(queryTimeout.cancellation())
                  .queries()
                  .sql()
                  .query(request);
            });
    ResultStream<SqlHeader, ObjectNode> answer = startedResult.result();
    boolean lines = StreamedResponses.acceptsLines(httpRequestContext);
    RouteResponse routeResponse =
        startedResult.reply(
            httpRequestContext,
            lines ? StreamedResponses.LINES : RouteResponse.JSON,
            Map.of(),
            jsonStreamWriter -> {
              if (lines) {
                answer.forEach(jsonStreamWriter::record);
              } else {
                jsonStreamWriter.document(answer.header(), "rows", answer::forEach);
              }
            });
    return SchemaVersionHeader.addTo(routeResponse, answer.header().schemaVersions());
  }

  /**
   * Writes the result to a file before the first byte is sent, since a Parquet file's index is at
   * its end.
   */
  private RouteResponse parquet(HttpRequestContext httpRequestContext, SqlRequest request)
      throws IOException {
    List<SchemaVersionMix> mixes = new ArrayList<>();
    long[] rows = {0};
    StreamedResponses.StartedResult<InputStream> startedResult =
        StreamedResponses.start(
            resources -> {
              Path directory = Files.createTempDirectory("tidemark-sql-");
              Path file = directory.resolve("answer.parquet");
              try (QueryLimiter.Permit unused = queries.acquire();
                  QueryTimeout queryTimeout = deadline(httpRequestContext, request)) {
                LedgerSql sql =
                    ledgers
                        .of(httpRequestContext)
                        .withCancellation(queryTimeout.cancellation())
                        .queries()
                        .sql();
                rows[0] = sql.write(request, file, mixes::addAll);
                return resources.add(Files.newInputStream(file));
              } finally {
                // The directory entry is deleted; the content remains readable as long as the
                // stream is open.
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
              }
            });
    RouteResponse routeResponse =
        new RouteResponse.Streamed(
            200,
            PARQUET,
            RouteResponse.BodyWriter.closing(
                startedResult.held(), out -> startedResult.result().transferTo(out)),
            Map.of("Tidemark-Rows", Long.toString(rows[0])));
    return SchemaVersionHeader.addTo(routeResponse, mixes);
  }
}
