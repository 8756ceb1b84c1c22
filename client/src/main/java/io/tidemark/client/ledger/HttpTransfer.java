// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.ExportHeader;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedDocument;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.function.LongConsumer;

/** Exports and imports of a ledger on a server. */
record HttpTransfer(HttpLedgerContext server) implements LedgerTransfer {

  private ResultStream<ExportHeader, JsonNode> rows(ExportRequest request) {
    ServerRequest export = server.request("GET", "export").header("Accept", "application/json");
    for (String type : request.types()) {
      export = export.query("type", type);
    }
    if (request.asOf().isPresent()) {
      AsOf asOf = request.asOf().get();
      export =
          export.query(
              "asOf",
              asOf instanceof AsOf.AtTime at
                  ? UtcTimestamp.format(at.time())
                  : Long.toString(((AsOf.AtCommit) asOf).id()));
    }
    if (request.historySince().isPresent()) {
      export = export.query("historySince", Long.toString(request.historySince().getAsLong()));
    }
    if (request.schemaAsOfCommit().isPresent()) {
      export =
          export.query("schemaAsOfCommit", Long.toString(request.schemaAsOfCommit().getAsLong()));
    }
    export = export.query("withMetadata", Boolean.toString(request.withMetadata()));
    return StreamedDocument.document(server.open(export), "rows", ExportHeader.class, row -> row);
  }

  @Override
  public ResultStream<ExportHeader, String> lines(ExportRequest request) {
    ResultStream<ExportHeader, JsonNode> rows = rows(request);
    return new ResultStream<>() {
      @Override
      public ExportHeader header() {
        return rows.header();
      }

      @Override
      public void forEach(java.util.function.Consumer<? super String> consumer) {
        rows.forEach(row -> consumer.accept(CanonicalJson.write(row)));
      }

      @Override
      public void close() {
        rows.close();
      }
    };
  }

  @Override
  public ImportReport importRows(ImportRequest request, LongConsumer progress) {
    return new HttpRowWriter(server).load(request);
  }
}
