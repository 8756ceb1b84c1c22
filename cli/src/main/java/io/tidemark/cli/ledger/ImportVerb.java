// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.transfer.Import;
import io.tidemark.ledger.transfer.ImportInput;
import io.tidemark.ledger.transfer.ImportOptions;
import io.tidemark.ledger.transfer.ImportOptions.Mode;
import io.tidemark.ledger.transfer.ImportOptions.OnConflict;
import io.tidemark.ledger.transfer.ImportReport;
import io.tidemark.ledger.transfer.ImportReport.Status;
import io.tidemark.ledger.transfer.Precondition;
import io.tidemark.ledger.transfer.Precondition.Presence;
import io.tidemark.ledger.view.ImportJson;
import java.nio.file.Path;
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
public final class ImportVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerChoice options;
  @Mixin private WrittenOptions written;

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
  private int batch = ImportOptions.ONE_COMMIT;

  @Override
  public Integer call() {
    ImportOptions how = how();
    return options.with(ledger -> load(ledger, how));
  }

  private ImportOptions how() {
    Precondition condition = condition();
    boolean mustExist = condition == Presence.MUST_EXIST;
    OnConflict policy = mustExist ? OnConflict.UPSERT : OnConflict.ABORT;
    if (onConflict != null) {
      policy = onConflict;
    }
    if (mustExist && policy == OnConflict.ABORT) {
      throw new ParameterException(
          spec.commandLine(), "rows that must exist can't abort because they do; skip or upsert");
    }
    if (batch < 1) {
      throw new ParameterException(spec.commandLine(), "--batch takes a number from 1");
    }
    return ImportOptions.standard()
        .with(apply ? Mode.APPLY : Mode.DRY_RUN)
        .with(policy, condition)
        .inPartsOf(batch)
        .withMetadata(written.metadata());
  }

  private Precondition condition() {
    if (precondition == null) {
      return Presence.ANY;
    }
    String text = precondition;
    return Precondition.parse(text)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "there is no precondition '"
                        + text
                        + "'; say must_exist, must_not_exist or if_commit_id:N"));
  }

  private int load(Ledger ledger, ImportOptions how) {
    ImportInput source =
        input.equals("-")
            ? ImportInput.of(System.in, "standard input")
            : ImportInput.of(Path.of(input));
    Progress progress = Progress.on(spec.commandLine().getErr());
    ImportReport report;
    try {
      report =
          new Import(ledger, how.declaring(written.types()))
              .from(source, records -> progress.at(Plural.of(records, "record") + " read"));
    } finally {
      progress.end();
    }
    options.print(ImportJson.report(report), text(report));
    return report.status() == Status.CONFLICT ? ExitCodes.CONFLICT : ExitCodes.OK;
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
        .forEach(why -> text.append(System.lineSeparator()).append("  ").append(Plain.line(why)));
    if (report.conflicts() > report.reasons().size()) {
      text.append(System.lineSeparator()).append("  and others");
    }
    return text.append(System.lineSeparator()).append(end(report)).toString();
  }

  private static String end(ImportReport report) {
    int made = report.commits().size();
    String written = made == 0 ? "nothing was written" : "commits " + report.commits() + " stay";
    return switch (report.status()) {
      case DRY_RUN -> "nothing was written, run it with --apply to import";
      case CONFLICT -> "conflict: " + written;
      case APPLIED ->
          made == 0
              ? "nothing to commit: all of it is so already"
              : made == 1
                  ? "commit " + report.commits().get(0)
                  : "commits " + report.commits().get(0) + " to " + report.commits().get(made - 1);
    };
  }
}
