// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A verb that takes an address and shows the record it then has. */
@Command
public final class RecordVerb implements Callable<Integer> {

  private final BiFunction<NameService, Address, NameRecord> operation;

  @Mixin private NamesOptions options;

  @Parameters(
      paramLabel = "ADDRESS",
      converter = AddressConverter.class,
      description = "name or name:branch")
  private Address address;

  private RecordVerb(BiFunction<NameService, Address, NameRecord> operation) {
    this.operation = operation;
  }

  public static RecordVerb create() {
    return new RecordVerb(NameService::create);
  }

  public static RecordVerb show() {
    return new RecordVerb(
        (names, address) ->
            names
                .find(address)
                .orElseThrow(
                    () ->
                        new NotFoundException(
                            "there is no " + address + "; 'tidemark list' shows what there is")));
  }

  public static RecordVerb retract() {
    return new RecordVerb(NameService::retract);
  }

  public static RecordVerb restore() {
    return new RecordVerb(NameService::restore);
  }

  @Override
  public Integer call() {
    return options.with(
        names -> {
          NameRecord record = operation.apply(names, address);
          options.print(Shown.json(record), Shown.text(record));
          return 0;
        });
  }
}
