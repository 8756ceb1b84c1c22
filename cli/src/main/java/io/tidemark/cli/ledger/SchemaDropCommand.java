// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeDropResult;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.names.NotFoundException;
import java.util.List;
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
final class SchemaDropCommand implements Callable<Integer> {

  private static final String FILES =
      "no query finds their rows any more; 'gc' deletes the files in 24 h, unless another branch"
          + " has them";

  @Mixin private LedgerMixin options;
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
    approval.validate();
    return options.write(ledger -> drop(ledger.types()));
  }

  private int drop(LedgerTypes types) {
    TypeDropRequest request =
        new TypeDropRequest(
            also,
            cascade,
            purge,
            approval.apply(),
            approval.token(),
            approval.force(),
            approval.meta());
    TypeDropResult result = drop(types, request);
    options.print(
        WireJson.tree(result),
        result
            .commitId()
            .map(
                commit ->
                    "dropped "
                        + result.affectedTypes()
                        + " with commit "
                        + commit
                        + (purge ? "; " + FILES : ""))
            .orElseGet(() -> preview(result)));
    return ExitCodes.OK;
  }

  private TypeDropResult drop(LedgerTypes types, TypeDropRequest request) {
    try {
      return types.drop(type, request);
    } catch (NotFoundException e) {
      List<TypeVersion> unused = types.list(); // fails if it is the ledger that isn't there
      throw new InvalidSchemaException(String.valueOf(e.getMessage()));
    }
  }

  private String preview(TypeDropResult plan) {
    return "would drop "
        + plan.rows().entrySet().stream()
            .map(each -> each.getKey() + " with " + LedgerFormatter.rows(each.getValue()))
            .collect(Collectors.joining(", "))
        + System.lineSeparator()
        + (purge ? FILES + System.lineSeparator() : "")
        + "nothing was changed; to do it, add --apply --token "
        + plan.token().orElse("");
  }
}
