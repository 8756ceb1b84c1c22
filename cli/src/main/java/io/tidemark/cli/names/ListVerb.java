// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.Address;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.SourceType;
import io.tidemark.names.view.RecordJson;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark list [PREFIX]}. */
@Command(
    description = "Lists records in the order of their addresses, retracted ones included.",
    footer = {
      "",
      "Examples:",
      "  tidemark list",
      "  tidemark list --data connection.json",
      "  tidemark list tenant/ --kind ledger --state ready",
      "  tidemark list --limit 100 --after mydb:main --json"
    })
public final class ListVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamesOptions options;

  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "What addresses start with.",
      defaultValue = "")
  private String prefix = "";

  @Option(names = "--kind", paramLabel = "ledger|graph_source", description = "Only this kind.")
  private @Nullable Kind kind;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only graph sources of this type.")
  private @Nullable String type;

  @Option(names = "--state", paramLabel = "STATE", description = "Only in this state.")
  private @Nullable String state;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many.")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--after",
      paramLabel = "ADDRESS",
      converter = AddressConverter.class,
      description = "Go on after this one.")
  private @Nullable Address after;

  @Override
  public Integer call() {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit can't be negative");
    }
    return options.with(
        names -> {
          try (Stream<NameRecord> found = names.list(filter())) {
            List<NameRecord> records = found.toList();
            ArrayNode json = JsonNodeFactory.instance.arrayNode();
            records.forEach(record -> json.add(RecordJson.of(record)));
            options.print(json, records.isEmpty() ? "no records" : Shown.table(records));
          }
          return 0;
        });
  }

  private RecordFilter filter() {
    RecordFilter filter = RecordFilter.all().startingWith(prefix).atMost(limit);
    filter = Optional.ofNullable(kind).map(filter::ofKind).orElse(filter);
    filter = Optional.ofNullable(type).map(SourceType::new).map(filter::ofType).orElse(filter);
    filter = Optional.ofNullable(state).map(filter::inState).orElse(filter);
    return Optional.ofNullable(after).map(filter::after).orElse(filter);
  }
}
