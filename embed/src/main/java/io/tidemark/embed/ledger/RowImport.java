// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.ledger.internal.transfer.LedgerImport;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.OnConflict;
import io.tidemark.ledger.internal.transfer.Precondition;
import io.tidemark.ledger.internal.transfer.Precondition.Presence;
import io.tidemark.ledger.internal.transfer.TextRecord;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Import of rows into a ledger in this process. */
record RowImport(EmbeddedLedgerContext use, ImportRequest request) {

  ImportReport run(LongConsumer progress) {
    LedgerImportOptions options = options();
    // Not by LedgerUse.with, which would read the rows a second time.
    try (LedgerCache.LedgerHandle handle = use.acquire()) {
      return report(
          new LedgerImport(handle.ledger(), options)
              .from(
                  this::read,
                  read -> {
                    use.cancellation().check();
                    progress.accept(read);
                  }));
    }
  }

  private LedgerImportOptions options() {
    Precondition precondition = request.precondition().map(RowImport::parsed).orElse(Presence.ANY);
    boolean mustExist = precondition == Presence.MUST_EXIST;
    OnConflict policy =
        request
            .onConflict()
            .map(RowImport::policy)
            .orElse(mustExist ? OnConflict.UPSERT : OnConflict.ABORT);
    if (mustExist && policy == OnConflict.ABORT) {
      throw invalid("rows that must exist can't abort because they do; skip or upsert");
    }
    return LedgerImportOptions.standard()
        .withMode(request.apply() ? Mode.APPLY : Mode.DRY_RUN)
        .withOnConflict(policy)
        .withPrecondition(precondition)
        .withPartSize(partSize())
        .withMetadata(CommitMetadata.of(request.metadata(), request.message()))
        .withDeclared(declared());
  }

  private static Precondition parsed(String text) {
    return Precondition.parse(text)
        .orElseThrow(
            () ->
                invalid(
                    "there is no precondition '"
                        + text
                        + "'; say must_exist, must_not_exist or if_commit_id:N"));
  }

  private static OnConflict policy(String word) {
    return switch (word) {
      case "abort" -> OnConflict.ABORT;
      case "skip" -> OnConflict.SKIP;
      case "upsert" -> OnConflict.UPSERT;
      default -> throw invalid("onConflict must be abort, skip or upsert, got \"" + word + "\"");
    };
  }

  private int partSize() {
    long rows = request.batch().orElse(LedgerImportOptions.ONE_COMMIT);
    if (rows < 1 || rows > LedgerImportOptions.ONE_COMMIT) {
      throw invalid(
          "batch must be a whole number from 1 to "
              + LedgerImportOptions.ONE_COMMIT
              + ", got "
              + rows);
    }
    return (int) rows;
  }

  /** Returns the declared types. A type may be declared again, as by a file beside an export. */
  private List<TypeSchema> declared() {
    List<TypeSchema> types = new ArrayList<>();
    if (request.schema().isPresent()) {
      JsonNode schema = request.schema().get();
      for (JsonNode each : schema.isArray() ? schema : List.of(schema)) {
        types.addAll(DeclaredSchema.of(each));
      }
    }
    return types;
  }

  private static TidemarkException invalid(String message) {
    return new TidemarkException(ErrorCode.INVALID_REQUEST, message);
  }

  private void read(Consumer<TextRecord> records) {
    for (RowInput.Part part : request.rows().texts()) {
      RowInputReader.read(part, request.rows().longest(), records);
    }
  }

  private static ImportReport report(
      io.tidemark.ledger.internal.transfer.LedgerImportReport report) {
    int made = report.commits().size();
    return new ImportReport(
        report.status().jsonName(),
        made == 0 ? Optional.empty() : Optional.of(report.commits().get(made - 1)),
        report.totalRecords(),
        report.inserts(),
        report.updates(),
        report.unchanged(),
        report.skipped(),
        report.conflicts(),
        report.commits(),
        report.reasons());
  }
}
