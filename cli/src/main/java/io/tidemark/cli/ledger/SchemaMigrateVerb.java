// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.catalog.Approval;
import io.tidemark.ledger.catalog.MigrationPlan;
import io.tidemark.ledger.catalog.SchemaLife;
import io.tidemark.ledger.catalog.Upgraders;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.Committed;
import io.tidemark.ledger.view.PlanJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
final class SchemaMigrateVerb implements Callable<Integer> {

  @Mixin private LedgerChoice options;
  @Mixin private ApprovalOptions approval;
  @Mixin private RuleOptions rules;

  @Parameters(index = "1", paramLabel = "FILE", description = "The types as they are to be.")
  private Path file;

  @Override
  public Integer call() {
    approval.approval();
    return options.with(this::migrate);
  }

  private int migrate(Ledger ledger) {
    List<TypeSchema> declared = SchemaFile.read(file);
    Set<TypeId> types = declared.stream().map(TypeSchema::id).collect(Collectors.toSet());
    SchemaLife schemas = ledger.schemas();
    Upgraders upgraders = rules.rules(types).upgraders(schemas.current(), declared);
    MigrationPlan plan =
        options.awaited("counting rows", () -> schemas.planMigration(declared, upgraders));
    if (approval.approval().isEmpty()) {
      options.print(PlanJson.migration(plan), preview(plan));
      return ExitCodes.OK;
    }
    Approval given = approval.approval().get();
    long all = plan.estimatedRows().values().stream().mapToLong(Long::longValue).sum();
    Optional<Committed> done =
        options.awaited(
            "migrating " + ShownRow.rows(all),
            () -> schemas.migrate(declared, upgraders, given, approval.meta()));
    long rows = done.map(commit -> commit.manifest().rowCount()).orElse(0L);
    options.print(
        PlanJson.migrated(plan, done),
        done.map(
                commit ->
                    "commit "
                        + commit.manifest().commitId()
                        + ": "
                        + ShownRow.rows(rows)
                        + " migrated")
            .orElse("nothing to migrate: the types are so already"));
    return ExitCodes.OK;
  }

  private static String preview(MigrationPlan plan) {
    if (plan.diffs().isEmpty()) {
      return "nothing to migrate: the types are so already";
    }
    List<String> lines = new ArrayList<>();
    plan.diffs()
        .forEach(
            diff ->
                lines.add(
                    diff
                        + " ("
                        + ShownRow.rows(plan.estimatedRows().getOrDefault(diff.type(), 0L))
                        + ")"));
    if (plan.missingUpgraders().isEmpty()) {
      lines.add("nothing was changed; to do it, add --apply --token " + plan.token().text());
    } else {
      lines.add(
          "nothing was changed; "
              + plan.missingUpgraders()
              + " needs rules: --set, --rename or --remove");
    }
    return String.join(System.lineSeparator(), lines);
  }
}
