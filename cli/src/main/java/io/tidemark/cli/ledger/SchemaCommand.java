// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.SchemaComparison;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark schema show|history|validate|migrate|drop}. */
@Command(
    description = "Shows and changes the types of a ledger.",
    subcommands = {
      SchemaCommand.Show.class,
      SchemaCommand.History.class,
      SchemaCommand.Validate.class,
      SchemaMigrateCommand.class,
      SchemaDropCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark schema show crm > crm.schema.json",
      "  tidemark schema validate crm crm.schema.json",
      "  tidemark schema migrate crm crm.schema.json --set Customer.tier='\"Gold\"'",
      "  tidemark schema drop crm Customer --cascade --purge-history"
    })
public final class SchemaCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: show, history, validate, migrate or drop");
  }

  @Command(
      name = "show",
      description = "Shows schemas, in the form in which files declare them.",
      footer = {
        "",
        "Examples:",
        "  tidemark schema show crm",
        "  tidemark schema show crm Customer --version 1",
        "  tidemark schema show crm --json    As they are stored, too"
      })
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private LedgerMixin options;

    @Parameters(index = "1", arity = "0..1", paramLabel = "TYPE", description = "Only this type.")
    private @Nullable String type;

    @Option(names = "--version", paramLabel = "N", description = "This version; with a TYPE.")
    private @Nullable Long version;

    @Override
    public Integer call() {
      if (version != null && type == null) {
        throw new ParameterException(spec.commandLine(), "--version is of one TYPE; name it");
      }
      return options.read(this::show);
    }

    private int show(LedgerService ledger) {
      List<TypeVersion> versions =
          type == null
              ? ledger.types().list()
              : List.of(
                  ledger
                      .types()
                      .show(
                          type, version == null ? OptionalLong.empty() : OptionalLong.of(version)));
      if (options.json()) {
        options.print(WireJson.tree(versions), "");
        return ExitCodes.OK;
      }
      String text =
          versions.stream()
              .map(each -> each.schema().toPrettyString())
              .collect(Collectors.joining("," + System.lineSeparator()));
      options.print(NullNode.instance, versions.size() == 1 ? text : "[" + text + "]");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "history",
      description = "Lists the versions of a type's schema, the oldest first.",
      footer = {"", "Examples:", "  tidemark schema history crm Customer"})
  static final class History implements Callable<Integer> {
    @Mixin private LedgerMixin options;

    @Parameters(index = "1", paramLabel = "TYPE", description = "The type.")
    private String type;

    @Override
    public Integer call() {
      return options.read(this::show);
    }

    private int show(LedgerService ledger) {
      List<TypeVersion> versions = ledger.types().history(type);
      if (options.json()) {
        options.print(WireJson.tree(versions), "");
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("VERSION", "CREATED", "REASON", "BY", "HASH"));
      for (TypeVersion each : versions) {
        rows.add(
            List.of(
                Long.toString(each.schemaVersionId()),
                each.createdAt(),
                each.reason(),
                each.runtimeId(),
                each.schemaHash()));
      }
      options.print(NullNode.instance, Table.aligned(rows));
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "validate",
      description = "Compares the types that a file declares with those of the ledger.",
      footer = {
        "",
        "Exit code 3: they differ; 'tidemark schema migrate' changes those of the ledger.",
        "",
        "Examples:",
        "  tidemark schema validate crm crm.schema.json"
      })
  static final class Validate implements Callable<Integer> {
    @Mixin private LedgerMixin options;

    @Parameters(index = "1", paramLabel = "FILE", description = "The types.")
    private Path file;

    @Override
    public Integer call() {
      JsonNode declared = SchemaFile.read(file);
      return options.write(ledger -> validate(ledger.types().compare(declared)));
    }

    private int validate(SchemaComparison found) {
      List<String> lines = new ArrayList<>();
      found.diffs().forEach(diff -> lines.add(diff.text()));
      found.newTypes().forEach(type -> lines.add(type + " is new to the ledger"));
      lines.add(found.matches() ? "nothing differs" : "they differ");
      options.print(WireJson.tree(found), String.join(System.lineSeparator(), lines));
      return found.matches() ? ExitCodes.OK : ExitCodes.SCHEMA;
    }
  }
}
