// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.log.LogFormat;
import io.tidemark.cli.log.ServerLog;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;
import io.tidemark.events.webhook.AddressPolicy;
import io.tidemark.features.Features;
import io.tidemark.names.NameLocations;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import io.tidemark.server.upkeep.MaintenanceSchedule;
import io.tidemark.server.upkeep.ServerMaintenance;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark serve}. */
@Command(
    description =
        "Serves names, ledgers and events over HTTP, and features if there is a PostgreSQL. Looks"
            + " after them meanwhile: repairs, compacts, collects, numbers transactions. Several"
            + " servers may serve the same store; they share that work. Ends on Ctrl-C or SIGTERM,"
            + " after the requests that are under way.",
    footer = {
      "",
      "Examples:",
      "  tidemark serve                                   ./tidemark-data on port 7700",
      "  tidemark serve --data s3://bucket/prefix --port 80",
      "  tidemark serve --data dynamodb://table --objects s3://bucket/prefix",
      "  tidemark serve --features embedded               with a PostgreSQL of its own",
      "  tidemark serve --data http://upstream:7700       passes all on to another server",
      "  tidemark serve --host 0.0.0.0 --tokens tokens.json --tls-keystore key.p12 \\",
      "      --tls-password-file key.pass                 for other machines"
    })
public final class ServeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "URI",
      defaultValue = "${env:TIDEMARK_DATA:-./tidemark-data}",
      description = {
        "Where the data is: a path, s3://bucket/prefix,",
        "dynamodb://table, connection.json or another server.",
        "Default: $TIDEMARK_DATA, else ./tidemark-data"
      })
  private String data = "./tidemark-data";

  @Option(
      names = "--objects",
      paramLabel = "URI",
      description = {
        "Where ledgers and events are, if the store of --data",
        "has only names: a path, or s3://bucket/prefix."
      })
  private @Nullable String objects;

  @Option(names = "--host", description = "The address to listen on. Default: 127.0.0.1")
  private String host = ServerSettings.standard().host();

  @Option(names = "--port", description = "0 for any that is free. Default: 7700")
  private int port = ServerSettings.standard().port();

  @Mixin private AccessOptions access;

  @Mixin private ServeFeatureOptions served;

  @Mixin private ServeLedgerOptions ledgers;

  @Option(
      names = "--read-only",
      description = {
        "Refuse what changes something, and look after nothing:",
        "serves a store that may only be read."
      })
  private boolean readOnly;

  @Option(
      names = "--no-upkeep",
      description = "Leave repairs, compaction and collection to other servers.")
  private boolean idle;

  @Option(
      names = "--webhook-addresses",
      paramLabel = "public|any",
      description = {
        "Where webhooks of 'events subscribe' may be: at public",
        "addresses, or also on this machine and in private",
        "networks. Default: public"
      })
  private AddressPolicy webhookAddresses = AddressPolicy.PUBLIC;

  @Option(
      names = "--log-format",
      paramLabel = "text|json",
      description = "How to log to standard error, a line a request. Default: text")
  private LogFormat logFormat = LogFormat.TEXT;

  @Option(names = "--json", description = "Say where it listens in JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    ServerLog.use(logFormat);
    try (ShutdownSignal signal = new ShutdownSignal();
        ExtraObjectStore extraObjectStore = ExtraObjectStore.of(objects);
        NameService names = new NameService(NameLocations.open(data), extraObjectStore.options());
        ServeFeatureOptions.OpenFeatures features = served.open(data, this::say)) {
      ServerResources own = new ServerResources(names, names.objects(), features.features());
      ServerResources serverResources =
          ServerLocation.isServerUrl(data) ? own.withUpstream(ServerConnection.open(data)) : own;
      ServerSettings standard = ServerSettings.standard().withHost(host).withPort(port);
      ServerSettings settings =
          ledgers
              .in(access.in(standard))
              .withWrites(readOnly ? WritePolicy.REFUSED : WritePolicy.TAKEN);
      try (TidemarkServer server = TidemarkServer.start(settings, serverResources);
          ServerMaintenance serverMaintenance = upkeep(serverResources, settings)) {
        tell(server, serverResources, settings);
        signal.await();
      }
      say("stopped");
    }
    return ExitCodes.OK;
  }

  /** Starts the maintenance; only that of features if another server has the ledgers. */
  private ServerMaintenance upkeep(ServerResources serverResources, ServerSettings settings) {
    if (idle || readOnly) {
      return ServerMaintenance.none();
    }
    if (serverResources.upstream().isPresent()) {
      return ServerMaintenance.ofFeatures(serverResources);
    }
    ServerMaintenance started =
        ServerMaintenance.start(
            serverResources, settings.ledgers(), MaintenanceSchedule.standard());
    return serverResources
        .objects()
        .map(store -> started.withSubscriptions(store, serverResources.names(), webhookAddresses))
        .orElse(started);
  }

  /** The store of ledgers and events, if it isn't the names' own. */
  private record ExtraObjectStore(Optional<ObjectStore> store) implements AutoCloseable {

    static ExtraObjectStore of(@Nullable String objects) {
      return new ExtraObjectStore(Optional.ofNullable(objects).map(ObjectStore::open));
    }

    NameOptions options() {
      return store.map(NameOptions.standard()::withLedgerStore).orElseGet(NameOptions::standard);
    }

    @Override
    public void close() {
      store.ifPresent(ObjectStore::close);
    }
  }

  private void tell(
      TidemarkServer server, ServerResources serverResources, ServerSettings settings) {
    String beside = serverResources.objects().map(s -> s.capabilities().location()).orElse("-");
    Optional<String> features =
        serverResources
            .features()
            .map(Features::storageId)
            .or(
                () ->
                    serverResources
                        .upstream()
                        .map(upstream -> upstream.server().base().toString()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode told =
          JsonNodeFactory.instance
              .objectNode()
              .put("address", server.address().toString())
              .put("names", serverResources.names().location());
      told.put("objects", serverResources.objects().isPresent() ? beside : null);
      told.put("features", features.orElse(null));
      told.put("callers", AccessOptions.callers(settings.access()));
      told.put("read_only", readOnly);
      out.println(told);
    } else {
      out.println("Tidemark listens on " + server.address());
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("  names", serverResources.names().location()));
      rows.add(List.of("  ledgers, events", beside));
      rows.add(List.of("  features", features.orElse("-")));
      rows.add(List.of("  callers", AccessOptions.callers(settings.access())));
      if (readOnly) {
        rows.add(List.of("  writes", "refused (--read-only)"));
      }
      out.println(Table.aligned(rows));
    }
    out.flush();
  }

  private void say(String text) {
    spec.commandLine().getErr().println("tidemark: " + text);
    spec.commandLine().getErr().flush();
  }
}
