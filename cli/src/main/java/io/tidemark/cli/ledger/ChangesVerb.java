// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.ledger.Change;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.ledger.view.CommitJson;
import io.tidemark.ledger.view.RowJson;
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
public final class ChangesVerb implements Callable<Integer> {

  @Mixin private LedgerChoice options;

  @Parameters(index = "1", paramLabel = "ID", description = "The commit, from 1.")
  private long id;

  @Override
  public Integer call() {
    return options.with(this::show);
  }

  private int show(Ledger ledger) {
    Commit commit =
        ledger
            .log()
            .get(id)
            .orElseThrow(() -> new UnknownCommitException(id, ledger.log().head().orElse(0L)));
    if (options.json()) {
      showJson(ledger, commit);
      return ExitCodes.OK;
    }
    PrintWriter out = options.out();
    out.println(
        "commit "
            + id
            + " of "
            + UtcTimestamp.format(commit.createdAt())
            + ", "
            + ShownRow.rows(commit.operations())
            + ", "
            + commit.metadata());
    ledger.log().changes(id, change -> out.println(Plain.line(text(change))));
    ledger.log().purged(id).forEach((type, by) -> out.println("purged    " + purged(type, by)));
    return ExitCodes.OK;
  }

  private void showJson(Ledger ledger, Commit commit) {
    PrintWriter out = options.out();
    String head = CommitJson.changes(commit, ledger.log().purged(id)).toString();
    out.print(head.substring(0, head.length() - 1) + ",\"changes\":[");
    String[] separator = {""};
    ledger
        .log()
        .changes(
            id,
            change -> {
              out.print(separator[0] + RowJson.change(change));
              separator[0] = ",";
            });
    out.println("]}");
  }

  /** Says what became of the rows of a type that was dropped. */
  static String purged(TypeId type, long by) {
    return type + ": commit " + by + " dropped it with its history, and its files are deleted";
  }

  private static String text(Change change) {
    String what = change.type() + " " + change.identity() + "  ";
    JsonNode after = RowJson.parsed(change.after().fieldsJson());
    return change
        .before()
        .map(
            row ->
                "updated   "
                    + what
                    + ShownDifference.fields(RowJson.parsed(row.fieldsJson()), after))
        .orElseGet(() -> "inserted  " + what + after);
  }
}
