// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.branch.Diff;
import io.tidemark.ledger.branch.Difference;
import io.tidemark.ledger.branch.Difference.Kind;
import io.tidemark.ledger.branch.Point;
import io.tidemark.ledger.scratch.ScratchFile;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.view.BranchJson;
import io.tidemark.ledger.view.BranchJson.Counts;
import io.tidemark.ledger.view.RowJson;
import io.tidemark.names.InvalidAddressException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tidemark diff LEDGER A..B}. The counts come first, so what differs is set aside on the
 * disk while it is counted.
 */
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
public final class DiffVerb implements Callable<Integer> {

  private static final String DOTS = "..";

  @Spec private CommandSpec spec;
  @Mixin private LedgerChoice options;

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
    Point from = point(words.get(0), usual);
    Point to = point(words.get(1), usual);
    return options.with(ledger -> show(ledger, from, to));
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

  private Point point(String text, BranchName usual) {
    try {
      return Point.parse(text, usual);
    } catch (InvalidAddressException e) {
      throw new ParameterException(
          spec.commandLine(),
          "'" + text + "' is no state; write a commit, a branch, or branch@commit",
          e);
    }
  }

  private int show(Ledger ledger, Point from, Point to) {
    Progress progress = options.progress();
    Diff now = ledger.diff(from, to, rows -> progress.at(ShownRow.rows(rows) + " compared"));
    Diff diff = schemaOf == null ? now : now.inSchemaOf(schemaOf);
    Counts counts = new Counts();
    try (ScratchFile lines = new ScratchFile()) {
      try (Writer out =
          new BufferedWriter(new OutputStreamWriter(lines.append(), StandardCharsets.UTF_8))) {
        diff.forEach(each -> note(each, counts, out));
      } finally {
        progress.end();
      }
      PrintWriter err = spec.commandLine().getErr();
      diff.versions().forEach(mix -> err.println("tidemark: " + mix));
      if (options.json()) {
        showJson(diff, List.of(from, to), counts, lines);
      } else {
        options.out().println(text(diff, counts));
        diff.purged()
            .forEach(
                (type, by) ->
                    options.out().println("not compared: " + ChangesVerb.purged(type, by)));
        copy(lines, System.lineSeparator());
      }
      return ExitCodes.OK;
    } catch (IOException e) {
      throw new UncheckedIOException("there is no room for what differs on the disk", e);
    }
  }

  private void note(Difference each, Counts counts, Writer out) {
    counts.add(each);
    try {
      if (!stat) {
        out.write(
            options.json() ? RowJson.difference(each).toString() : ShownDifference.text(each));
        out.write('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException("there is no room for what differs on the disk", e);
    }
  }

  private static String text(Diff diff, Counts counts) {
    if (counts.byType().isEmpty()) {
      return "no difference";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TYPE", "INSERTED", "CHANGED", "REMOVED"));
    counts
        .byType()
        .forEach(
            (type, count) ->
                rows.add(
                    List.of(
                        type.toString(),
                        shown(count, Kind.INSERTED),
                        shown(count, Kind.CHANGED),
                        shown(count, Kind.REMOVED))));
    return Table.aligned(rows)
        + System.lineSeparator()
        + diff.ancestor()
            .map(id -> "both have commit " + id)
            .orElse("they have no commit in common")
        + System.lineSeparator();
  }

  private static String shown(Map<Kind, Long> count, Kind kind) {
    return Long.toString(count.getOrDefault(kind, 0L));
  }

  private void showJson(Diff diff, List<Point> points, Counts counts, ScratchFile lines)
      throws IOException {
    String head = BranchJson.diff(diff, points.get(0), points.get(1), counts).toString();
    PrintWriter out = options.out();
    if (stat) {
      out.println(head);
      return;
    }
    out.print(head.substring(0, head.length() - 1) + ",\"differences\":[");
    copy(lines, ",");
    out.println("]}");
  }

  /** Prints what was set aside; people get a line for each, programs a separator between them. */
  private void copy(ScratchFile lines, String separator) throws IOException {
    PrintWriter out = options.out();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(lines.read(0), StandardCharsets.UTF_8))) {
      boolean first = true;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.print((first || !options.json() ? "" : separator) + line);
        if (!options.json()) {
          out.print(separator);
        }
        first = false;
      }
    }
  }
}
