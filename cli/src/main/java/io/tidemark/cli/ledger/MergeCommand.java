// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.api.ledger.MergeResult.Conflict;
import io.tidemark.api.ledger.MergeResult.Conflicted;
import io.tidemark.api.ledger.MergeResult.Counts;
import io.tidemark.api.ledger.MergeResult.FastForward;
import io.tidemark.api.ledger.MergeResult.FieldConflict;
import io.tidemark.api.ledger.MergeResult.Merged;
import io.tidemark.api.ledger.MergeResult.UpToDate;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.InvalidAddressException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark merge LEDGER SOURCE [--into TARGET]}. */
@Command(
    description =
        "Takes in, on one branch, what was committed on another. A branch that has nothing of its"
            + " own is moved on; otherwise what the source changed becomes one commit, field by"
            + " field. Without --apply it only says what would be done.",
    footer = {
      "",
      "Exit code 6: both changed the same fields differently; nothing was merged.",
      "Exit code 3: a type has different schemas on the two branches.",
      "",
      "Examples:",
      "  tidemark merge crm dev                   What merging dev would come to",
      "  tidemark merge crm dev --apply",
      "  tidemark merge crm main --into dev --apply",
      "  tidemark merge crm dev --theirs --apply  Take dev's where both changed a field"
    })
public final class MergeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Parameters(index = "1", paramLabel = "SOURCE", description = "The branch to take in.")
  private String source = "";

  @Option(
      names = "--into",
      paramLabel = "TARGET",
      description = "The branch that takes it in. Default: that of LEDGER")
  private @Nullable String target;

  @Option(names = "--apply", description = "Do it; without it, only say what would be done.")
  private boolean apply;

  @Option(names = "--ours", description = "Where both changed a field, keep the target's.")
  private boolean ours;

  @Option(names = "--theirs", description = "Where both changed a field, take the source's.")
  private boolean theirs;

  @Option(names = "--meta", paramLabel = "K=V", description = "Kept in the commit's metadata.")
  private Map<String, String> meta = Map.of();

  @Override
  public Integer call() {
    if (ours && theirs) {
      throw new ParameterException(spec.commandLine(), "--ours and --theirs exclude each other");
    }
    BranchName from = branch(source);
    String into = target == null ? options.branch().text() : branch(target).text();
    return options.writeTo(into, ledger -> merge(ledger, from, into));
  }

  private BranchName branch(String name) {
    try {
      return new BranchName(name);
    } catch (InvalidAddressException e) {
      throw new ParameterException(
          spec.commandLine(), "'" + name + "' is no name of a branch: " + e.getMessage(), e);
    }
  }

  private int merge(LedgerService ledger, BranchName from, String into) {
    MergeRequest request =
        new MergeRequest(
            from.text(), apply, Optional.of(ours ? "ours" : theirs ? "theirs" : "refuse"), meta);
    MergeResult result =
        options.withProgress(
            "comparing rows",
            progress ->
                ledger
                    .branches()
                    .merge(
                        request,
                        rows -> progress.accept(LedgerFormatter.rows(rows) + " compared")));
    options.print(WireJson.tree(result), text(result, from, into));
    return result instanceof Conflicted ? ExitCodes.CONFLICT : ExitCodes.OK;
  }

  private String text(MergeResult result, BranchName from, String into) {
    String hint = apply ? "" : "; nothing was done, run it with --apply";
    if (result instanceof UpToDate) {
      return into + " has commit " + result.sourceCommit() + " of " + from + " already";
    }
    if (result instanceof FastForward forward) {
      return (apply ? into + " moved" : into + " would move")
          + " from commit "
          + forward.targetCommit()
          + " to commit "
          + forward.sourceCommit()
          + " of "
          + from
          + hint;
    }
    return result instanceof Merged merged
        ? merged(merged, from, hint)
        : conflicts((Conflicted) result);
  }

  private static String merged(Merged merged, BranchName from, String hint) {
    StringBuilder text = new StringBuilder();
    merged.commitId().ifPresent(id -> text.append("commit ").append(id).append(": "));
    long rows = merged.counts().stream().mapToLong(Counts::rows).sum();
    text.append(LedgerFormatter.rows(rows)).append(" of ").append(from);
    text.append(merged.commitId().isPresent() ? " merged" : " would be merged").append(hint);
    for (Counts count : merged.counts()) {
      text.append(System.lineSeparator())
          .append(LedgerFormatter.type(count.typeKind(), count.typeName()))
          .append(": ")
          .append(count.taken())
          .append(" taken, ")
          .append(count.combined())
          .append(" combined, ")
          .append(count.resolved())
          .append(" resolved");
    }
    return text.toString();
  }

  private static String conflicts(Conflicted conflicted) {
    StringBuilder text = new StringBuilder();
    text.append(LedgerFormatter.rows(conflicted.conflicts()))
        .append(" in conflict; nothing was merged");
    for (Conflict each : conflicted.first()) {
      for (FieldConflict field : each.fields()) {
        String line =
            LedgerFormatter.type(each.typeKind(), each.typeName())
                + " "
                + LedgerFormatter.identity(
                    each.key(), each.leftKey(), each.rightKey(), each.instanceKey())
                + "  "
                + field.field()
                + ": base "
                + RowDifferenceFormatter.value(field.base())
                + ", ours "
                + RowDifferenceFormatter.value(field.ours())
                + ", theirs "
                + RowDifferenceFormatter.value(field.theirs());
        text.append(System.lineSeparator()).append(TerminalEscaping.escapeLine(line));
      }
    }
    return text.append(System.lineSeparator())
        .append("change one side, or decide with --ours or --theirs")
        .toString();
  }
}
