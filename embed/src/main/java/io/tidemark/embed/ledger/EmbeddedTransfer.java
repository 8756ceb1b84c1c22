// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.ExportHead;
import io.tidemark.api.ledger.ExportHead.ExportedType;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.api.ledger.Moment;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.transfer.Export;
import io.tidemark.ledger.internal.transfer.ExportOptions;
import io.tidemark.ledger.internal.transfer.ExportOptions.Metadata;
import io.tidemark.ledger.internal.transfer.ExportOptions.Schema;
import io.tidemark.ledger.internal.transfer.ExportOptions.Scope;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.schema.TypeId;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** Exports and imports of a ledger in this process. */
record EmbeddedTransfer(LedgerUse ledger) implements LedgerTransfer {

  private static Export export(Ledger open, ExportRequest request) {
    SortedSet<TypeId> known = request.types().isEmpty() ? new TreeSet<>() : open.contents().types();
    return new Export(
        open,
        ExportOptions.standard()
            .withTypes(Types.resolve(request.types(), known))
            .withScope(scope(request))
            .withSchema(
                request.schemaAsOfCommit().isPresent()
                    ? new Schema.AtCommit(request.schemaAsOfCommit().getAsLong())
                    : Schema.Now.NOW)
            .withMetadata(request.withMetadata() ? Metadata.COMMIT_ID : Metadata.NONE));
  }

  private static Scope scope(ExportRequest request) {
    if (request.asOf().isPresent() && request.historySince().isPresent()) {
      throw Question.invalid("asOf and historySince exclude one another; say one");
    }
    if (request.asOf().isPresent()) {
      return request.asOf().get() instanceof Moment.AtTime at
          ? new Scope.AtTime(at.time())
          : new Scope.AsOf(((Moment.AtCommit) request.asOf().get()).id());
    }
    return request.historySince().isPresent()
        ? new Scope.HistorySince(request.historySince().getAsLong())
        : Scope.Latest.LATEST;
  }

  @Override
  public Streamed<ExportHead, String> lines(ExportRequest request) {
    return HeldItems.open(
        held -> {
          Stop stop = held.add(ledger.begin()).stop();
          Export export = export(held.add(ledger.lend()).ledger(), request);
          ExportHead head =
              new ExportHead(
                  export.commitId(),
                  export.parts().stream().map(EmbeddedTransfer::type).toList(),
                  Results.mixes(export.versions()));
          return new HeldItems.Opened<>(
              head,
              consumer ->
                  export.lines(
                      line -> {
                        stop.check();
                        consumer.accept(line);
                      }));
        });
  }

  private static ExportedType type(Export.Part part) {
    return new ExportedType(
        part.type().kind().singular(),
        part.type().name(),
        part.file(),
        Results.parsed(part.version().schemaJson()));
  }

  @Override
  public ImportReport importRows(ImportRequest request, LongConsumer progress) {
    return new RowImport(ledger, request).run(progress);
  }
}
