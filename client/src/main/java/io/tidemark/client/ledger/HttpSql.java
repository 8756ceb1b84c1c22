// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.SqlHeader;
import io.tidemark.api.ledger.SqlRequest;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedDocument;
import io.tidemark.client.StreamedServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;

/** Statements in SQL on a server. */
record HttpSql(HttpLedgerContext server) implements LedgerSql {

  private static final String PARQUET = "application/vnd.apache.parquet";

  private ServerRequest request(SqlRequest request) {
    return server.request("POST", "sql").json(WireJson.tree(request));
  }

  @Override
  public ResultStream<SqlHeader, ObjectNode> query(SqlRequest request) {
    return StreamedDocument.document(
        server.open(request(request)), "rows", SqlHeader.class, row -> (ObjectNode) row);
  }

  @Override
  public long write(SqlRequest request, Path file, Consumer<List<SchemaVersionMix>> notes) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (StreamedServerResponse answer = server.open(request(request).header("Accept", PARQUET))) {
      notes.accept(StreamHeaders.versions(answer));
      try {
        Files.copy(answer.body(), part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      return StreamHeaders.rows(answer);
    } catch (IOException e) {
      throw new UncheckedIOException("can't write " + file, e);
    }
  }

  @Override
  public String explain(SqlRequest request) {
    return server.read(request(request.withExplain(true))).path("steps").asText();
  }
}
