// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.IndexCare;
import io.tidemark.ledger.IndexCare.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.catalog.Catalog.Finding;
import io.tidemark.ledger.view.CareJson;
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
    subcommands = {IndexVerb.Verify.class, IndexVerb.Repair.class},
    footer = {
      "",
      "Examples:",
      "  tidemark index verify crm",
      "  tidemark index repair crm --deep --apply"
    })
public final class IndexVerb implements Runnable {

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
    @Mixin private LedgerChoice options;

    @Option(
        names = "--deep",
        description = "Compare with every commit, not only the newest, and look at the catalog.")
    private boolean deep;

    @Override
    public Integer call() {
      return options.with(this::verify);
    }

    private int verify(Ledger ledger) {
      IndexCare.Report report =
          options.awaited("comparing with commits", () -> ledger.indices().verify(depth(deep)));
      options.print(CareJson.verified(report), report.ok() ? complete(report) : found(report));
      return report.ok() ? ExitCodes.OK : ExitCodes.EXECUTION;
    }

    private static String complete(IndexCare.Report report) {
      String text = "the indices are complete up to commit " + report.head();
      return report.nameLags()
          ? text
              + System.lineSeparator()
              + "note: "
              + ShownRow.misnamed(report.misnamed().getAsLong(), report.head())
              + "; the next commit of a program with a nameservice moves it on, or"
              + " 'tidemark index repair --apply'"
          : text;
    }

    private static String found(IndexCare.Report report) {
      List<String> found = new ArrayList<>();
      if (!report.broken().isEmpty()) {
        found.add("incomplete: " + report.broken());
      }
      report
          .misnamed()
          .ifPresent(
              said ->
                  found.add(
                      ShownRow.misnamed(said, report.head())
                          + ", the newest commit is "
                          + report.head()));
      report.catalog().forEach(finding -> found.add(finding.text()));
      return String.join(System.lineSeparator(), found) + remedy(report);
    }

    private static String remedy(IndexCare.Report report) {
      boolean mendable = report.catalog().stream().anyMatch(Finding::mendable);
      if (report.broken().isEmpty() && report.misnamed().isEmpty() && !mendable) {
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
    @Mixin private LedgerChoice options;

    @Option(
        names = "--deep",
        description = "Compare with every commit, not only the newest, and look at the catalog.")
    private boolean deep;

    @Option(names = "--apply", description = "Write; without it, only say what would be done.")
    private boolean apply;

    @Override
    public Integer call() {
      return options.with(this::repair);
    }

    private int repair(Ledger ledger) {
      IndexCare indices = ledger.indices();
      IndexCare.Repair repair =
          apply
              ? options.awaited("repairing", () -> indices.repair(depth(deep)))
              : options.awaited("comparing with commits", () -> indices.planRepair(depth(deep)));
      ObjectNode json = apply ? CareJson.repaired(repair) : CareJson.plannedRepair(repair);
      options.print(json, text(repair));
      return ExitCodes.OK;
    }

    private String text(IndexCare.Repair repair) {
      if (repair.isEmpty()) {
        return "nothing to repair";
      }
      List<String> repaired = new ArrayList<>();
      if (!repair.types().isEmpty()) {
        repaired.add(repair.types().toString());
      }
      repair
          .misnamed()
          .ifPresent(
              said -> repaired.add("the name, from commit " + said + " to " + repair.head()));
      repair.catalog().forEach(finding -> repaired.add("that " + finding.text()));
      String all = String.join(" and ", repaired);
      return apply
          ? "repaired " + all
          : "would repair " + all + "; nothing was written, run it with --apply";
    }
  }

  private static Depth depth(boolean deep) {
    return deep ? Depth.EVERY_COMMIT : Depth.NEWEST;
  }
}
