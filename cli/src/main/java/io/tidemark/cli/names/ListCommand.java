// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import io.tidemark.names.view.RecordJson;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/**
 * {@code tidemark list [PREFIX]}. Described by calls rather than by annotations, since reading
 * these took a fifth of what it does.
 */
public final class ListCommand implements Callable<Integer> {

  private final NamesOptions options = new NamesOptions();

  private final PositionalParamSpec prefix =
      PositionalParamSpec.builder()
          .arity("0..1")
          .paramLabel("PREFIX")
          .type(String.class)
          .defaultValue("")
          .description("What addresses start with.")
          .build();

  private final OptionSpec kind =
      OptionSpec.builder("--kind")
          .paramLabel("ledger|graph_source")
          .type(RecordKind.class)
          .description("Only this kind.")
          .build();

  private final OptionSpec type =
      OptionSpec.builder("--type")
          .paramLabel("TYPE")
          .type(String.class)
          .description("Only graph sources of this type.")
          .build();

  private final OptionSpec state =
      OptionSpec.builder("--state")
          .paramLabel("STATE")
          .type(String.class)
          .description("Only in this state.")
          .build();

  private final OptionSpec limit =
      OptionSpec.builder("--limit")
          .paramLabel("N")
          .type(Long.class)
          .description("At most so many.")
          .build();

  private final OptionSpec after =
      OptionSpec.builder("--after")
          .paramLabel("ADDRESS")
          .type(Address.class)
          .converters(new AddressConverter())
          .description("Go on after this one.")
          .build();

  private final CommandSpec spec;

  private ListCommand() {
    spec = CommandSpec.wrapWithoutInspection(this);
    options.addTo(spec);
    spec.addPositional(prefix).addOption(kind).addOption(type).addOption(state);
    spec.addOption(limit).addOption(after);
    spec.usageMessage()
        .description("Lists records in the order of their addresses, retracted ones included.")
        .footer(
            "",
            "Examples:",
            "  tidemark list",
            "  tidemark list --data connection.json",
            "  tidemark list tenant/ --kind ledger --state ready",
            "  tidemark list --limit 100 --after mydb:main --json");
  }

  /** Returns the picocli specification of the verb. */
  public static CommandSpec spec() {
    return new ListCommand().spec;
  }

  @Override
  public Integer call() {
    RecordFilter filter = filter();
    return options.with(
        names -> {
          try (Stream<NameRecord> found = names.list(filter)) {
            List<NameRecord> records = found.toList();
            ArrayNode json = JsonNodeFactory.instance.arrayNode();
            records.forEach(record -> json.add(RecordJson.of(record)));
            options.print(json, records.isEmpty() ? "no records" : RecordFormatter.table(records));
          }
          return 0;
        });
  }

  private RecordFilter filter() {
    long most = Optional.<Long>ofNullable(limit.getValue()).orElse(Long.MAX_VALUE);
    if (most < 0) {
      throw new ParameterException(spec.commandLine(), "--limit can't be negative");
    }
    RecordFilter filter = RecordFilter.all().startingWith(prefix.getValue()).atMost(most);
    filter = Optional.<RecordKind>ofNullable(kind.getValue()).map(filter::ofKind).orElse(filter);
    filter =
        Optional.<String>ofNullable(type.getValue())
            .map(SourceType::new)
            .map(filter::ofType)
            .orElse(filter);
    filter = Optional.<String>ofNullable(state.getValue()).map(filter::inState).orElse(filter);
    return Optional.<Address>ofNullable(after.getValue()).map(filter::after).orElse(filter);
  }
}
