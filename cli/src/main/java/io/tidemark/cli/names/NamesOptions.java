// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.client.ServerLocation;
import io.tidemark.names.NameService;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the names are, and how to print what is found: what every verb on data takes. */
public final class NamesOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "URI",
      description = {
        "Where the data is: a path, s3://bucket/prefix,",
        "dynamodb://table, memory: or connection.json.",
        "dynamodb://table?create=true makes the table first,",
        "and with &objects=s3://bucket/prefix says where its",
        "ledgers, events and remotes are.",
        "Default: $TIDEMARK_DATA, else ./tidemark-data"
      })
  private @Nullable String data;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = {
        "The server to ask instead: http://host:7700.",
        "Its token is in $TIDEMARK_TOKEN or in a file.",
        "Default: $TIDEMARK_SERVER, else none"
      })
  private @Nullable String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = {"What has the server's token.", "Default: $TIDEMARK_TOKEN_FILE"})
  private @Nullable Path tokenFile;

  @Option(names = "--json", description = "Print JSON, for programs.")
  private boolean json;

  /** Opens the nameservice, does something with it and closes it. */
  public int with(ToIntFunction<NameService> work) {
    try (NameService names = NameService.open(location())) {
      return work.applyAsInt(names);
    } finally {
      out().flush();
    }
  }

  /** Returns the options that say where the data is, as they were given. */
  public List<String> givenLocation() {
    List<String> words = new ArrayList<>();
    if (data != null) {
      words.addAll(List.of("--data", data));
    }
    if (server != null) {
      words.addAll(List.of("--server", server));
    }
    if (tokenFile != null) {
      words.addAll(List.of("--token-file", tokenFile.toString()));
    }
    return words;
  }

  /** Where the data is; a server is a location like any other. */
  public String location() {
    if (data != null && server != null) {
      throw misuse("--data and --server are two places; give one of them");
    }
    if (data == null && server == null) {
      return usual();
    }
    return server == null ? withoutToken(data) : withToken(server);
  }

  /** The server that is to do the work, when that is where the data is. */
  public Optional<String> server() {
    return Optional.of(location()).filter(ServerLocation::isOne);
  }

  /** The same, if it was said here: what is asked for beats what is usual. */
  public Optional<String> givenServer() {
    return data == null && server == null ? Optional.empty() : server();
  }

  /** What the environment says. */
  private String usual() {
    String usualData = System.getenv("TIDEMARK_DATA");
    String usualServer = System.getenv("TIDEMARK_SERVER");
    boolean atServer = usualServer != null && !usualServer.isBlank();
    if (atServer && usualData != null && !usualData.isBlank()) {
      throw misuse(
          "TIDEMARK_DATA and TIDEMARK_SERVER are two places; unset one, or give --data or"
              + " --server");
    }
    if (atServer) {
      return withToken(usualServer);
    }
    return withoutToken(usualData == null || usualData.isBlank() ? "./tidemark-data" : usualData);
  }

  private String withoutToken(@Nullable String place) {
    if (tokenFile != null) {
      throw misuse("--token-file is for --server");
    }
    return String.valueOf(place);
  }

  private String withToken(String url) {
    if (!ServerLocation.isOne(url)) {
      throw misuse("a server is at an address like http://host:7700");
    }
    return tokenFile == null
        ? url
        : url
            + (url.indexOf('?') < 0 ? '?' : '&')
            + "token-file="
            + URLEncoder.encode(tokenFile.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  public void print(JsonNode result, String text) {
    out().println(json ? result.toString() : Plain.text(text));
  }

  /** Whether a program reads the output. */
  public boolean json() {
    return json;
  }

  /** Where it is said what goes wrong. */
  public PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Where the output goes. */
  public PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
