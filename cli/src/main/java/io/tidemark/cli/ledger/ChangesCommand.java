// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.CommitChangesHeader;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.PurgedType;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.objects.UtcTimestamp;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark changes LEDGER ID}. Prints as it reads: a commit may have millions of rows. */
@Command(
    description = "Tells what a commit did, row by row, with the version before and after.",
    footer = {
      "",
      "Exit code 1: there is no such commit.",
      "",
      "Examples:",
      "  tidemark changes crm 17",
      "  tidemark changes crm 17 --json"
    })
public final class ChangesCommand implements Callable<Integer> {

  @Mixin private LedgerMixin options;

  @Parameters(index = "1", paramLabel = "ID", description = "The commit, from 1.")
  private long id;

  @Override
  public Integer call() {
    return options.read(this::show);
  }

  private int show(LedgerService ledger) {
    try (ResultStream<CommitChangesHeader, RowChange> changes = ledger.commits().changes(id)) {
      if (options.json()) {
        JsonStreamPrinter.print(changes, "changes", options.out());
      } else {
        show(changes, options.out());
      }
    }
    return ExitCodes.OK;
  }

  private void show(ResultStream<CommitChangesHeader, RowChange> changes, PrintWriter out) {
    CommitChangesHeader commit = changes.header();
    out.println(
        "commit "
            + id
            + " of "
            + UtcTimestamp.format(commit.timestamp())
            + ", "
            + LedgerFormatter.rows(commit.operations())
            + ", "
            + commit.meta());
    changes.forEach(change -> out.println(TerminalEscaping.escapeLine(text(change))));
    commit.purged().forEach(type -> out.println("purged    " + purged(type)));
  }

  /** Returns a text on the rows of a type that was dropped. */
  static String purged(PurgedType type) {
    return LedgerFormatter.type(type.typeKind(), type.typeName())
        + ": commit "
        + type.purgedBy()
        + " dropped it with its history, and its files are deleted";
  }

  private static String text(RowChange change) {
    String what =
        LedgerFormatter.type(change.typeKind(), change.typeName())
            + " "
            + LedgerFormatter.identity(
                change.key(), change.leftKey(), change.rightKey(), change.instanceKey())
            + "  ";
    return change
        .before()
        .map(before -> "updated   " + what + RowDifferenceFormatter.fields(before, change.after()))
        .orElseGet(() -> "inserted  " + what + change.after());
  }
}
