// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import io.tidemark.names.view.RecordJson;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark source create|list}. */
@Command(
    description = "Makes and lists graph sources: indices and mappings that follow a ledger.",
    subcommands = {SourceCommand.Create.class, SourceCommand.Listing.class},
    footer = {
      "",
      "Examples:",
      "  tidemark source create search f:Bm25Index '{\"k1\":1.2}' --from mydb:main",
      "  tidemark source list"
    })
public final class SourceCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: create or list");
  }

  @Command(
      name = "create",
      description = "Makes a graph source, or changes its type, set-up and what it is made from.",
      footer = {
        "",
        "Examples:",
        "  tidemark source create search f:Bm25Index '{\"k1\":1.2}' --from mydb:main",
        "  tidemark source create sales f:JdbcSource - --from mydb:main < sales.json"
      })
  static final class Create implements Callable<Integer> {
    @Mixin private NamesOptions options;

    @Parameters(
        index = "0",
        paramLabel = "ADDRESS",
        converter = AddressConverter.class,
        description = "name or name:branch")
    private Address address;

    @Parameters(
        index = "1",
        paramLabel = "TYPE",
        description = {
          "f:Bm25Index, f:HnswIndex, f:GeoIndex, f:IcebergSource,",
          "f:R2rmlSource, f:JdbcSource or an IRI of your own."
        })
    private String type;

    @Parameters(
        index = "2",
        paramLabel = "CONFIG",
        description = "Its set-up, a JSON object; - to read it from standard input.")
    private String config;

    @Option(names = "--from", paramLabel = "ADDRESS", description = "What it is made from.")
    private List<String> dependencies = List.of();

    @Override
    public Integer call() {
      return options.with(
          names -> {
            Payload payload = PayloadArgument.payload("set-up", address, config).orElseThrow();
            NameRecord record =
                names.graphSources().publish(address, new SourceType(type), payload, dependencies);
            options.print(RecordJson.of(record), RecordFormatter.text(record));
            return 0;
          });
    }
  }

  @Command(
      name = "list",
      description = "Lists graph sources, retracted ones included.",
      footer = {"", "Examples:", "  tidemark source list", "  tidemark source list --json"})
  static final class Listing implements Callable<Integer> {
    @Mixin private NamesOptions options;

    @Override
    public Integer call() {
      return options.with(
          names -> {
            RecordFilter sources = RecordFilter.all().ofKind(RecordKind.GRAPH_SOURCE);
            try (Stream<NameRecord> found = names.list(sources)) {
              List<NameRecord> records = found.toList();
              ArrayNode json = JsonNodeFactory.instance.arrayNode();
              records.forEach(record -> json.add(RecordJson.of(record)));
              options.print(
                  json, records.isEmpty() ? "no sources" : RecordFormatter.table(records));
            }
            return 0;
          });
    }
  }
}
