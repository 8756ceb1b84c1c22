// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.ExportHead;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.api.ledger.Moment;
import io.tidemark.client.Request;
import io.tidemark.client.StreamedDocument;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.function.LongConsumer;

/** Exports and imports of a ledger on a server. */
record HttpTransfer(LedgerServer server) implements LedgerTransfer {

  private Streamed<ExportHead, JsonNode> rows(ExportRequest request) {
    Request export = server.request("GET", "export").header("Accept", "application/json");
    for (String type : request.types()) {
      export = export.query("type", type);
    }
    if (request.asOf().isPresent()) {
      Moment moment = request.asOf().get();
      export =
          export.query(
              "asOf",
              moment instanceof Moment.AtTime at
                  ? UtcTimestamp.format(at.time())
                  : Long.toString(((Moment.AtCommit) moment).id()));
    }
    if (request.historySince().isPresent()) {
      export = export.query("historySince", Long.toString(request.historySince().getAsLong()));
    }
    if (request.schemaAsOfCommit().isPresent()) {
      export =
          export.query("schemaAsOfCommit", Long.toString(request.schemaAsOfCommit().getAsLong()));
    }
    export = export.query("withMetadata", Boolean.toString(request.withMetadata()));
    return StreamedDocument.document(server.open(export), "rows", ExportHead.class, row -> row);
  }

  @Override
  public Streamed<ExportHead, String> lines(ExportRequest request) {
    Streamed<ExportHead, JsonNode> rows = rows(request);
    return new Streamed<>() {
      @Override
      public ExportHead head() {
        return rows.head();
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
    return new HttpRowWrites(server).load(request);
  }
}
