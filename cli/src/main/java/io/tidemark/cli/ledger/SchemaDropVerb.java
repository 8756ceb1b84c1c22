// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.catalog.Approval;
import io.tidemark.ledger.catalog.DropRequest;
import io.tidemark.ledger.catalog.DropRequest.Dependents;
import io.tidemark.ledger.catalog.SchemaLife;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Committed;
import io.tidemark.ledger.view.PlanJson;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark schema drop LEDGER TYPE}. */
@Command(
    name = "drop",
    description =
        "Ends a type, in a commit. From then on no query of this branch finds its rows, of any"
            + " time. Without --apply it says what would go, and the token of that plan.",
    footer = {
      "",
      "Until 'gc' deletes the files of its rows, 'changes', 'diff' and branches that begin",
      "before the drop still have them. 'gc' keeps files that another branch needs, and",
      "those of a drop of the last 24 h.",
      "",
      "Exit code 7: refused, because rows or relations would go that weren't spoken of.",
      "",
      "Examples:",
      "  tidemark schema drop crm Customer --cascade --purge-history",
      "  tidemark schema drop crm Customer --cascade --purge-history --apply --token TOKEN"
    })
final class SchemaDropVerb implements Callable<Integer> {

  private static final String FILES =
      "no query finds their rows any more; 'gc' deletes the files in 24 h, unless another branch"
          + " has them";

  @Mixin private LedgerChoice options;
  @Mixin private ApprovalOptions approval;

  @Parameters(index = "1", paramLabel = "TYPE", description = "The type that is to end.")
  private String type;

  @Option(
      names = "--drop-relation",
      paramLabel = "TYPE",
      description = "A relation that goes with it; can be said several times.")
  private List<String> also = List.of();

  @Option(
      names = {"--cascade", "--cascade-relations"},
      description = "Every relation that has the type as an end goes with it.")
  private boolean cascade;

  @Option(
      names = "--purge-history",
      description = "Accept that all rows of the type go, with their history.")
  private boolean purge;

  @Override
  public Integer call() {
    approval.approval();
    return options.with(this::drop);
  }

  private int drop(Ledger ledger) {
    SchemaLife schemas = ledger.schemas();
    DropRequest request = request(schemas.current().keySet());
    SchemaLife.DropPreview plan = schemas.planDrop(request);
    if (approval.approval().isEmpty()) {
      options.print(PlanJson.drop(request, plan), preview(plan));
      return ExitCodes.OK;
    }
    Approval given = approval.approval().get();
    Committed done = schemas.drop(request, given, approval.meta());
    options.print(
        PlanJson.dropped(request, plan, done),
        "dropped "
            + plan.rows().keySet()
            + " with commit "
            + done.manifest().commitId()
            + (purge ? "; " + FILES : ""));
    return ExitCodes.OK;
  }

  private DropRequest request(Set<TypeId> known) {
    Set<TypeId> relations = new TreeSet<>();
    also.forEach(name -> relations.add(TypeName.resolve(name, known)));
    return new DropRequest(
        TypeName.resolve(type, known),
        relations,
        cascade ? Dependents.CASCADE : Dependents.REFUSE,
        purge ? DropPlan.History.PURGE : DropPlan.History.KEEP);
  }

  private String preview(SchemaLife.DropPreview plan) {
    return "would drop "
        + plan.rows().entrySet().stream()
            .map(each -> each.getKey() + " with " + ShownRow.rows(each.getValue()))
            .collect(Collectors.joining(", "))
        + System.lineSeparator()
        + (purge ? FILES + System.lineSeparator() : "")
        + "nothing was changed; to do it, add --apply --token "
        + plan.token().text();
  }
}
