// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.MigrationResult;
import io.tidemark.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark schema migrate LEDGER FILE}. */
@Command(
    name = "migrate",
    description =
        "Changes types to what a file declares, and all their rows with them, in one commit. Rules"
            + " say how rows change: fields are renamed, then removed, then set. A field that is"
            + " added and may be null needs no rule. Without --apply it says what would be done,"
            + " and the token of that plan.",
    footer = {
      "",
      "Examples:",
      "  tidemark schema migrate crm crm.schema.json",
      "  tidemark schema migrate crm crm.schema.json --rename Customer.mail=email \\",
      "      --remove Customer.fax --set Customer.tier='\"Gold\"' --apply --token TOKEN"
    })
final class SchemaMigrateCommand implements Callable<Integer> {

  @Mixin private LedgerMixin options;
  @Mixin private ApprovalOptions approval;
  @Mixin private MigrationRuleOptions rules;

  @Parameters(index = "1", paramLabel = "FILE", description = "The types as they are to be.")
  private Path file;

  @Override
  public Integer call() {
    approval.validate();
    MigrationRequest request = rules.rules(MigrationRequest.of(SchemaFile.read(file)));
    return options.write(ledger -> migrate(ledger.types(), request));
  }

  private int migrate(LedgerTypes types, MigrationRequest rules) {
    MigrationRequest request =
        rules
            .withApply(approval.apply())
            .withForce(approval.force())
            .withToken(approval.token())
            .withMetadata(approval.meta());
    MigrationResult result =
        options.withWaitMessage(
            approval.apply() ? "migrating rows" : "counting rows", () -> types.migrate(request));
    options.print(WireJson.tree(result), result.applied() ? done(result) : preview(result));
    return ExitCodes.OK;
  }

  private static String done(MigrationResult result) {
    return result
        .commitId()
        .map(
            commit ->
                "commit "
                    + commit
                    + ": "
                    + LedgerFormatter.rows(result.rowsMigrated().orElse(0L))
                    + " migrated")
        .orElse("nothing to migrate: the types are so already");
  }

  private static String preview(MigrationResult plan) {
    if (plan.diffs().isEmpty()) {
      return "nothing to migrate: the types are so already";
    }
    List<String> lines = new ArrayList<>();
    plan.diffs()
        .forEach(
            diff ->
                lines.add(
                    diff.text()
                        + " ("
                        + LedgerFormatter.rows(plan.rows().getOrDefault(diff.type(), 0L))
                        + ")"));
    if (plan.missingUpgraders().isEmpty()) {
      lines.add("nothing was changed; to do it, add --apply --token " + plan.token());
    } else {
      lines.add(
          "nothing was changed; "
              + plan.missingUpgraders()
              + " needs rules: --set, --rename or --remove");
    }
    return String.join(System.lineSeparator(), lines);
  }
}
