// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.view.RecordJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verb that takes an address and shows the record after its operation. */
@Command
public final class RecordCommand implements Callable<Integer> {

  private final BiFunction<NameService, Address, NameRecord> operation;
  private final List<String> examples;

  @Mixin private NamesOptions options;

  @Parameters(
      paramLabel = "ADDRESS",
      converter = AddressConverter.class,
      description = "name or name:branch")
  private Address address;

  private RecordCommand(
      BiFunction<NameService, Address, NameRecord> operation, String... examples) {
    this.operation = operation;
    this.examples = List.of(examples);
  }

  /** Adds the examples of the verb; the annotation is the same for all of these verbs. */
  @Spec
  void describe(CommandSpec spec) {
    List<String> footer = new ArrayList<>(List.of("", "Examples:"));
    examples.forEach(example -> footer.add("  tidemark " + example));
    spec.usageMessage().footer(footer.toArray(String[]::new));
  }

  public static RecordCommand create() {
    return new RecordCommand(
        NameService::create, "create mydb", "create tenant/customers:dev --json");
  }

  public static RecordCommand show() {
    return new RecordCommand(
        (names, address) ->
            names
                .find(address)
                .orElseThrow(
                    () ->
                        new NotFoundException(
                            "there is no " + address + "; 'tidemark list' shows what there is")),
        "show mydb",
        "show mydb:dev --json");
  }

  public static RecordCommand retract() {
    return new RecordCommand(NameService::retract, "retract mydb:old");
  }

  public static RecordCommand restore() {
    return new RecordCommand(NameService::restore, "restore mydb:old");
  }

  @Override
  public Integer call() {
    return options.with(
        names -> {
          NameRecord record = operation.apply(names, address);
          options.print(RecordJson.of(record), RecordFormatter.text(record));
          return 0;
        });
  }
}
