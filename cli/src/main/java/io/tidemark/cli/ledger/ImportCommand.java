// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.OnConflict;
import io.tidemark.ledger.internal.transfer.Precondition;
import io.tidemark.ledger.internal.transfer.Precondition.Presence;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark import LEDGER INPUT}. */
@Command(
    description =
        "Reads rows that were exported, from a directory, a file or standard input. Without --apply"
            + " it only says what it would do. All of it is one commit, unless --batch says"
            + " otherwise: it happens or it doesn't.",
    footer = {
      "",
      "Exit code 6: a conflict; nothing was written, but for batches before it.",
      "",
      "Examples:",
      "  tidemark import copy backup                               What would be imported",
      "  tidemark import copy backup --apply",
      "  tidemark import crm fixed.jsonl --apply --on-conflict upsert --precondition"
          + " if_commit_id:17",
      "  tidemark import crm huge.jsonl --apply --on-conflict skip --batch 100000"
    })
public final class ImportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;
  @Mixin private RowWriteOptions written;

  @Parameters(
      index = "1",
      paramLabel = "INPUT",
      description = "The directory of an export, a file, or - for standard input.")
  private String input;

  @Option(names = "--apply", description = "Import; without it, only say what would be done.")
  private boolean apply;

  @Option(
      names = "--on-conflict",
      paramLabel = "abort|skip|upsert",
      description = {
        "What becomes of rows that are there already.",
        "Default: abort, or upsert with must_exist"
      })
  private @Nullable OnConflict onConflict;

  @Option(
      names = "--precondition",
      paramLabel = "CONDITION",
      description = {
        "must_exist, must_not_exist: every row is there, or none;",
        "if_commit_id:N: the newest commit is N, 0 for none."
      })
  private @Nullable String precondition;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Commits of N rows each, rather than one of all.")
  private int batch = LedgerImportOptions.ONE_COMMIT;

  @Override
  public Integer call() {
    if (batch < 1) {
      throw new ParameterException(spec.commandLine(), "--batch takes a number from 1");
    }
    validate();
    return options.write(this::load);
  }

  /** Rejects options that the import would reject, as misuse and before anything is opened. */
  private void validate() {
    Precondition condition =
        precondition == null
            ? Presence.ANY
            : Precondition.parse(precondition)
                .orElseThrow(
                    () ->
                        new ParameterException(
                            spec.commandLine(),
                            "there is no precondition '"
                                + precondition
                                + "'; say must_exist, must_not_exist or if_commit_id:N"));
    if (condition == Presence.MUST_EXIST && onConflict == OnConflict.ABORT) {
      throw new ParameterException(
          spec.commandLine(), "rows that must exist can't abort because they do; skip or upsert");
    }
  }

  private int load(LedgerService ledger) {
    ImportRequest source =
        input.equals("-")
            ? ImportRequest.of(RowInput.of(System.in, "standard input"))
            : ImportRequest.of(Path.of(input));
    ImportRequest request =
        source
            .withSchema(schema(source.schema()))
            .withApply(apply)
            .withOnConflict(
                Optional.ofNullable(onConflict).map(word -> word.name().toLowerCase(Locale.ROOT)))
            .withPrecondition(Optional.ofNullable(precondition))
            .withBatch(OptionalLong.of(batch))
            .withMessage(written.message())
            .withMetadata(written.metadata());
    ImportReport report =
        options.withProgress(
            "importing",
            progress ->
                ledger
                    .transfer()
                    .importRows(
                        request, read -> progress.accept(Plural.of(read, "record") + " read")));
    options.print(WireJson.tree(report), text(report));
    return report.status().equals(ImportReport.CONFLICT) ? ExitCodes.CONFLICT : ExitCodes.OK;
  }

  /** Returns the types of the input with the declared types, which win where both exist. */
  private Optional<JsonNode> schema(Optional<JsonNode> ofInput) {
    Optional<JsonNode> declared = written.schema();
    if (ofInput.isEmpty() || declared.isEmpty()) {
      return declared.or(() -> ofInput);
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (JsonNode types : List.of(ofInput.get(), declared.get())) {
      if (types.isArray()) {
        types.forEach(all::add);
      } else {
        all.add(types);
      }
    }
    return Optional.of(all);
  }

  private static String text(ImportReport report) {
    StringBuilder text = new StringBuilder();
    text.append(Plural.of(report.totalRecords(), "record")).append(": ");
    text.append(Plural.of(report.inserts(), "insert")).append(", ");
    text.append(Plural.of(report.updates(), "update")).append(", ");
    text.append(report.unchanged()).append(" unchanged, ");
    text.append(report.skipped()).append(" skipped, ");
    text.append(Plural.of(report.conflicts(), "conflict"));
    report
        .reasons()
        .forEach(
            why ->
                text.append(System.lineSeparator())
                    .append("  ")
                    .append(TerminalEscaping.escapeLine(why)));
    if (report.conflicts() > report.reasons().size()) {
      text.append(System.lineSeparator()).append("  and others");
    }
    return text.append(System.lineSeparator()).append(end(report)).toString();
  }

  private static String end(ImportReport report) {
    int made = report.commits().size();
    String written = made == 0 ? "nothing was written" : "commits " + report.commits() + " stay";
    return switch (report.status()) {
      case ImportReport.DRY_RUN -> "nothing was written, run it with --apply to import";
      case ImportReport.CONFLICT -> "conflict: " + written;
      default ->
          made == 0
              ? "nothing to commit: all of it is so already"
              : made == 1
                  ? "commit " + report.commits().get(0)
                  : "commits " + report.commits().get(0) + " to " + report.commits().get(made - 1);
    };
  }
}
