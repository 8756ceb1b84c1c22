// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.DiffSummary.TypeCounts;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.InvalidAddressException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
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

/** {@code tidemark diff LEDGER A..B}. */
@Command(
    description = "Tells how two states differ: of two commits, of two branches, or mixed.",
    footer = {
      "",
      "A and B are each a commit (7), a branch (dev), a commit of a branch (dev@7),",
      "or nothing, or 'head', for the newest commit of LEDGER's branch. Commit 0 is",
      "the empty state before the first.",
      "",
      "Rows of both are compared and shown in the current schema of B's branch.",
      "Which rows were written in another one is noted on standard error.",
      "",
      "Exit code 0 whether they differ or not; 1: there is no such commit or branch.",
      "",
      "Examples:",
      "  tidemark diff crm 3..7           What commits 4 to 7 came to",
      "  tidemark diff crm 0..7           Everything that there is as of commit 7",
      "  tidemark diff crm main..dev      What dev has otherwise than main",
      "  tidemark diff crm dev@5.. --stat How far main is from commit 5 of dev",
      "  tidemark diff crm main dev --json"
    })
public final class DiffCommand implements Callable<Integer> {

  private static final String DOTS = "..";

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Parameters(
      index = "1..*",
      arity = "1..2",
      paramLabel = "A..B",
      description = "The two states, or each of them as a word of its own.")
  private List<String> points = List.of();

  @Option(names = "--stat", description = "Only say how many rows differ.")
  private boolean stat;

  @Option(
      names = "--schema-as-of-commit",
      paramLabel = "N",
      description = {
        "In the schema that held at this commit of B's branch,",
        "with the fields of then."
      })
  private @Nullable Long schemaOf;

  @Override
  public Integer call() {
    List<String> words = points.size() == 1 ? split(points.get(0)) : points;
    BranchName usual = options.branch();
    words.forEach(word -> requirePoint(word, usual));
    DiffRequest request =
        new DiffRequest(
            words.get(0),
            words.get(1),
            stat,
            schemaOf == null ? OptionalLong.empty() : OptionalLong.of(schemaOf));
    return options.read(ledger -> show(ledger, request));
  }

  private List<String> split(String range) {
    int at = range.indexOf(DOTS);
    if (at < 0 || range.indexOf(DOTS, at + 1) >= 0) {
      throw new ParameterException(
          spec.commandLine(),
          "'" + range + "' isn't two states; write A..B, or A and B as two words");
    }
    return List.of(range.substring(0, at), range.substring(at + DOTS.length()));
  }

  private void requirePoint(String text, BranchName usual) {
    try {
      Revision unused = Revision.parse(text, usual);
    } catch (InvalidAddressException e) {
      throw new ParameterException(
          spec.commandLine(),
          "'" + text + "' is no state; write a commit, a branch, or branch@commit",
          e);
    }
  }

  private int show(LedgerService ledger, DiffRequest request) {
    try (ResultStream<DiffSummary, RowDifference> diff = found(ledger, request)) {
      DiffSummary summary = diff.header();
      PrintWriter err = spec.commandLine().getErr();
      summary.schemaVersions().forEach(mix -> err.println("tidemark: " + mix));
      PrintWriter out = options.out();
      if (options.json() && stat) {
        out.println(WireJson.text(summary));
      } else if (options.json()) {
        JsonStreamPrinter.print(diff, "differences", out);
      } else {
        out.println(text(summary));
        summary
            .purged()
            .forEach(type -> out.println("not compared: " + ChangesCommand.purged(type)));
        diff.forEach(each -> out.println(RowDifferenceFormatter.text(each)));
      }
      return ExitCodes.OK;
    }
  }

  private ResultStream<DiffSummary, RowDifference> found(
      LedgerService ledger, DiffRequest request) {
    ProgressLine progressLine = options.progress();
    try {
      return ledger
          .commits()
          .diff(request, rows -> progressLine.show(LedgerFormatter.rows(rows) + " compared"));
    } finally {
      progressLine.clear();
    }
  }

  private static String text(DiffSummary diff) {
    if (diff.counts().isEmpty()) {
      return "no difference";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TYPE", "INSERTED", "CHANGED", "REMOVED"));
    for (TypeCounts count : diff.counts()) {
      rows.add(
          List.of(
              LedgerFormatter.type(count.typeKind(), count.typeName()),
              Long.toString(count.inserted()),
              Long.toString(count.changed()),
              Long.toString(count.removed())));
    }
    return Table.aligned(rows)
        + System.lineSeparator()
        + diff.ancestor()
            .map(id -> "both have commit " + id)
            .orElse("they have no commit in common")
        + System.lineSeparator();
  }
}
