// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.client.ServerLocation;
import io.tidemark.names.NameService;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/**
 * Options of every verb on data: the location of the names and the format of the output.
 *
 * <p>Described by calls like the root, so that a verb that is described by calls itself starts
 * without reading annotations. An annotated verb has it as a mixin.
 */
@Command
public final class NamesOptions {

  private final OptionSpec data =
      OptionSpec.builder("--data")
          .paramLabel("URI")
          .type(String.class)
          .description(
              "Where the data is: a path, s3://bucket/prefix,",
              "dynamodb://table, memory: or connection.json.",
              "dynamodb://table?create=true makes the table first,",
              "and with &objects=s3://bucket/prefix says where its",
              "ledgers, events and remotes are.",
              "Default: $TIDEMARK_DATA, else ./tidemark-data")
          .build();

  private final OptionSpec server =
      OptionSpec.builder("--server")
          .paramLabel("URL")
          .type(String.class)
          .description(
              "The server to ask instead: http://host:7700.",
              "Its token is in $TIDEMARK_TOKEN or in a file.",
              "Default: $TIDEMARK_SERVER, else none")
          .build();

  private final OptionSpec tokenFile =
      OptionSpec.builder("--token-file")
          .paramLabel("FILE")
          .type(Path.class)
          .description("What has the server's token.", "Default: $TIDEMARK_TOKEN_FILE")
          .build();

  private final OptionSpec json =
      OptionSpec.builder("--json")
          .initialValue(false)
          .description("Print JSON, for programs.")
          .build();

  private @Nullable CommandSpec verb;

  /** Adds the options to a verb. picocli calls this where they are mixed into an annotated one. */
  @Spec(Target.MIXEE)
  public void addTo(CommandSpec verb) {
    this.verb = verb;
    verb.addOption(data).addOption(server).addOption(tokenFile).addOption(json);
  }

  /** Opens the nameservice, applies work and closes it. */
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
    for (OptionSpec option : List.of(data, server, tokenFile)) {
      Object given = option.getValue();
      if (given != null) {
        words.addAll(List.of(option.longestName(), given.toString()));
      }
    }
    return words;
  }

  /** Returns the location of the data; a server is a location like any other. */
  public String location() {
    String data = this.data.getValue();
    String server = this.server.getValue();
    if (data != null && server != null) {
      throw misuse("--data and --server are two places; give one of them");
    }
    if (data == null && server == null) {
      return defaultLocation();
    }
    return server == null ? withoutToken(data) : withToken(server);
  }

  /** Returns the server that does the work, when the data is on one. */
  public Optional<String> server() {
    return Optional.of(location()).filter(ServerLocation::isServerUrl);
  }

  /** Returns the server if an option named it, as an option beats a default of the environment. */
  public Optional<String> givenServer() {
    boolean isSaid = data.getValue() != null || server.getValue() != null;
    return isSaid ? server() : Optional.empty();
  }

  /** Returns the location that the environment names. */
  private String defaultLocation() {
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
    if (tokenFile.getValue() != null) {
      throw misuse("--token-file is for --server");
    }
    return String.valueOf(place);
  }

  private String withToken(String url) {
    if (!ServerLocation.isServerUrl(url)) {
      throw misuse("a server is at an address like http://host:7700");
    }
    Path tokenFile = this.tokenFile.getValue();
    return tokenFile == null
        ? url
        : url
            + (url.indexOf('?') < 0 ? '?' : '&')
            + "token-file="
            + URLEncoder.encode(tokenFile.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(commandLine(), problem);
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  public void print(JsonNode result, String text) {
    out().println(json() ? result.toString() : TerminalEscaping.escape(text));
  }

  /** Returns whether the output is JSON. */
  public boolean json() {
    return json.getValue();
  }

  private CommandLine commandLine() {
    return Objects.requireNonNull(verb, "options of a verb").commandLine();
  }

  /** Returns the writer for errors. */
  public PrintWriter err() {
    return commandLine().getErr();
  }

  /** Returns the writer for output. */
  public PrintWriter out() {
    return commandLine().getOut();
  }
}
