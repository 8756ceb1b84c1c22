// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.SqlHead;
import io.tidemark.api.ledger.SqlRequest;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Queries in SQL. */
final class SqlRoutes {

  private static final String PARQUET = "application/vnd.apache.parquet";

  private final LedgerServices ledgers;
  private final Turnstile queries;

  SqlRoutes(LedgerServices ledgers, Turnstile queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", LedgerRoutes.ONE + "/sql", LedgerRoutes.need(Action.READ), this::sql)
            .reading());
  }

  /** Returns the request with the limits of the server, or with lower ones that it asks for. */
  private static SqlRequest limited(SqlRequest request, Call call, boolean toFile) {
    SqlLimits most = call.limits().sql();
    long memory = Math.max(16, most.memoryBytes() / 1_000_000);
    if (!toFile) {
      require("maxRows", request.maxRows(), most.rows());
    }
    require("memoryMegabytes", request.memoryMegabytes(), memory);
    return request.withTimeoutMillis(
        OptionalLong.of(QueryRoutes.time(call, request.timeoutMillis()).toMillis()));
  }

  private static void require(String member, OptionalLong value, long most) {
    if (value.isPresent() && value.getAsLong() > most) {
      throw Call.invalid(
          "\"%s\" is a whole number of at most %d, unlike %d"
              .formatted(member, most, value.getAsLong()));
    }
  }

  /** A statement has a time limit of its own, which doesn't count what precedes it. */
  private static Deadline deadline(Call call, SqlRequest request) {
    return new Deadline(call, Duration.ofMillis(2 * request.timeoutMillis().orElse(0)));
  }

  private Reply sql(Call call) throws IOException {
    boolean toFile = call.header("Accept").filter(types -> types.contains(PARQUET)).isPresent();
    SqlRequest request = limited(call.body(SqlRequest.class), call, toFile);
    if (request.explain()) {
      try (Turnstile.Visit unused = queries.enter();
          Deadline deadline = deadline(call, request)) {
        LedgerSql sql = ledgers.of(call).until(deadline.cancellation()).data().sql();
        return Reply.ok(JsonNodeFactory.instance.objectNode().put("steps", sql.explain(request)));
      }
    }
    if (toFile) {
      return parquet(call, request);
    }
    Streams.Started<Streamed<SqlHead, ObjectNode>> started =
        Streams.start(
            held -> {
              Turnstile.Visit unused = held.add(queries.enter());
              Deadline deadline = held.add(deadline(call, request));
              return ledgers.of(call).until(deadline.cancellation()).data().sql().query(request);
            });
    Streamed<SqlHead, ObjectNode> answer = started.result();
    boolean lines = Streams.wantsLines(call);
    Reply reply =
        started.reply(
            call,
            lines ? Streams.LINES : Reply.JSON,
            Map.of(),
            sheet -> {
              if (lines) {
                answer.forEach(sheet::record);
              } else {
                sheet.document(answer.head(), "rows", answer::forEach);
              }
            });
    return SchemaVersions.noted(reply, answer.head().schemaVersions());
  }

  /** The file is written before its first byte is sent, since its end tells where all else is. */
  private Reply parquet(Call call, SqlRequest request) throws IOException {
    List<SchemaVersionMix> mixes = new ArrayList<>();
    long[] rows = {0};
    Streams.Started<InputStream> started =
        Streams.start(
            held -> {
              Path directory = Files.createTempDirectory("tidemark-sql-");
              Path file = directory.resolve("answer.parquet");
              try (Turnstile.Visit unused = queries.enter();
                  Deadline deadline = deadline(call, request)) {
                LedgerSql sql = ledgers.of(call).until(deadline.cancellation()).data().sql();
                rows[0] = sql.write(request, file, mixes::addAll);
                return held.add(Files.newInputStream(file));
              } finally {
                // From here on its bytes are there as long as it is open, and no longer.
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
              }
            });
    Reply reply =
        new Reply.Streamed(
            200,
            PARQUET,
            Reply.Writing.holding(started.held(), out -> started.result().transferTo(out)),
            Map.of("Tidemark-Rows", Long.toString(rows[0])));
    return SchemaVersions.noted(reply, mixes);
  }
}
