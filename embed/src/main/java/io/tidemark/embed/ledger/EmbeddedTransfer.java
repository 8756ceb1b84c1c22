// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.ExportHeader;
import io.tidemark.api.ledger.ExportHeader.ExportedType;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.transfer.LedgerExport;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Metadata;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Schema;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Scope;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.schema.TypeId;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** Exports and imports of a ledger in this process. */
record EmbeddedTransfer(EmbeddedLedgerContext ledger) implements LedgerTransfer {

  private static LedgerExport export(Ledger open, ExportRequest request) {
    SortedSet<TypeId> known = request.types().isEmpty() ? new TreeSet<>() : open.reader().types();
    return new LedgerExport(
        open,
        LedgerExportOptions.standard()
            .withTypes(TypeResolver.resolve(request.types(), known))
            .withScope(scope(request))
            .withSchema(
                request.schemaAsOfCommit().isPresent()
                    ? new Schema.AtCommit(request.schemaAsOfCommit().getAsLong())
                    : Schema.Now.NOW)
            .withMetadata(request.withMetadata() ? Metadata.COMMIT_ID : Metadata.NONE));
  }

  private static Scope scope(ExportRequest request) {
    if (request.asOf().isPresent() && request.historySince().isPresent()) {
      throw ParsedQuery.invalid("asOf and historySince exclude one another; say one");
    }
    if (request.asOf().isPresent()) {
      return request.asOf().get() instanceof AsOf.AtTime at
          ? new Scope.AtTime(at.time())
          : new Scope.AsOf(((AsOf.AtCommit) request.asOf().get()).id());
    }
    return request.historySince().isPresent()
        ? new Scope.HistorySince(request.historySince().getAsLong())
        : Scope.Latest.LATEST;
  }

  @Override
  public ResultStream<ExportHeader, String> lines(ExportRequest request) {
    return EmbeddedResultStream.open(
        resources -> {
          CancellationToken cancellationToken = resources.add(ledger.begin()).stop();
          LedgerExport ledgerExport = export(resources.add(ledger.acquire()).ledger(), request);
          ExportHeader head =
              new ExportHeader(
                  ledgerExport.commitId(),
                  ledgerExport.parts().stream().map(EmbeddedTransfer::type).toList(),
                  LedgerResultMapper.mixes(ledgerExport.versions()));
          return new EmbeddedResultStream.HeaderAndItems<>(
              head,
              consumer ->
                  ledgerExport.lines(
                      line -> {
                        cancellationToken.throwIfCancelled();
                        consumer.accept(line);
                      }));
        });
  }

  private static ExportedType type(LedgerExport.Part part) {
    return new ExportedType(
        part.type().kind().singular(),
        part.type().name(),
        part.file(),
        LedgerResultMapper.parsed(part.version().schemaJson()));
  }

  @Override
  public ImportReport importRows(ImportRequest request, LongConsumer progress) {
    return new RowImport(ledger, request).run(progress);
  }
}
