// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.IndexRepairRequest;
import io.tidemark.api.ledger.IndexRepairResult;
import io.tidemark.api.ledger.IndexReport;
import io.tidemark.api.ledger.IndexVerifyRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark index verify|repair}. */
@Command(
    description =
        "Looks after the indices of a ledger. They only make reading faster: what is missing in"
            + " them is found in the commits.",
    subcommands = {IndexCommand.Verify.class, IndexCommand.Repair.class},
    footer = {
      "",
      "Examples:",
      "  tidemark index verify crm",
      "  tidemark index repair crm --deep --apply"
    })
public final class IndexCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: verify or repair");
  }

  @Command(
      name = "verify",
      description =
          "Finds out whether the indices are complete, and whether the nameservice knows the newest"
              + " commit. Changes nothing.",
      footer = {
        "",
        "Exit code 4: an index or the catalog isn't complete, or the nameservice has a",
        "commit that the ledger doesn't have. A name that only lags behind is a note.",
        "",
        "Examples:",
        "  tidemark index verify crm",
        "  tidemark index verify crm --deep --json"
      })
  static final class Verify implements Callable<Integer> {
    @Mixin private LedgerMixin options;

    @Option(
        names = "--deep",
        description = "Compare with every commit, not only the newest, and look at the catalog.")
    private boolean deep;

    @Override
    public Integer call() {
      return options.write(ledger -> verify(ledger.maintenance()));
    }

    private int verify(LedgerMaintenance maintenance) {
      IndexReport report =
          options.withWaitMessage(
              "comparing with commits",
              () -> maintenance.verifyIndex(new IndexVerifyRequest(deep)));
      options.print(WireJson.tree(report), report.ok() ? complete(report) : found(report));
      return report.ok() ? ExitCodes.OK : ExitCodes.EXECUTION;
    }

    private static String complete(IndexReport report) {
      String text = "the indices are complete up to commit " + report.headCommitId();
      return report.nameLags()
          ? text
              + System.lineSeparator()
              + "note: "
              + LedgerFormatter.misnamed(
                  report.misnamedCommitId().orElse(0L), report.headCommitId())
              + "; the next commit of a program with a nameservice moves it on, or"
              + " 'tidemark index repair --apply'"
          : text;
    }

    private static String found(IndexReport report) {
      List<String> found = new ArrayList<>();
      if (!report.broken().isEmpty()) {
        found.add("incomplete: " + report.broken());
      }
      report
          .misnamedCommitId()
          .ifPresent(
              said ->
                  found.add(
                      LedgerFormatter.misnamed(said, report.headCommitId())
                          + ", the newest commit is "
                          + report.headCommitId()));
      found.addAll(report.catalog());
      return String.join(System.lineSeparator(), found) + remedy(report);
    }

    private static String remedy(IndexReport report) {
      boolean mendable = report.catalogRepairable();
      if (report.broken().isEmpty() && report.misnamedCommitId().isEmpty() && !mendable) {
        return "";
      }
      return "; run 'tidemark index repair " + (mendable ? "--deep " : "") + "--apply'";
    }
  }

  @Command(
      name = "repair",
      description =
          "Writes incomplete indices anew, and tells the nameservice the newest commit. Without"
              + " --apply it only says which.",
      footer = {
        "",
        "Examples:",
        "  tidemark index repair crm",
        "  tidemark index repair crm --deep --apply"
      })
  static final class Repair implements Callable<Integer> {
    @Mixin private LedgerMixin options;

    @Option(
        names = "--deep",
        description = "Compare with every commit, not only the newest, and look at the catalog.")
    private boolean deep;

    @Option(names = "--apply", description = "Write; without it, only say what would be done.")
    private boolean apply;

    @Override
    public Integer call() {
      return options.write(ledger -> repair(ledger.maintenance()));
    }

    private int repair(LedgerMaintenance maintenance) {
      IndexRepairResult repair =
          options.withWaitMessage(
              apply ? "repairing" : "comparing with commits",
              () -> maintenance.repairIndex(new IndexRepairRequest(deep, apply)));
      options.print(WireJson.tree(repair), text(repair));
      return ExitCodes.OK;
    }

    private String text(IndexRepairResult repair) {
      if (repair.isEmpty()) {
        return "nothing to repair";
      }
      List<String> repaired = new ArrayList<>();
      if (!repair.plannedTypes().isEmpty()) {
        repaired.add(repair.plannedTypes().toString());
      }
      repair
          .misnamedCommitId()
          .ifPresent(
              said ->
                  repaired.add("the name, from commit " + said + " to " + repair.headCommitId()));
      repair.catalog().forEach(finding -> repaired.add("that " + finding));
      String all = String.join(" and ", repaired);
      return apply
          ? "repaired " + all
          : "would repair " + all + "; nothing was written, run it with --apply";
    }
  }
}
