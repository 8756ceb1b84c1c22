// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.client.features.HttpFeatures;
import io.tidemark.features.Features;
import io.tidemark.features.cluster.ClusterState;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.JdbcUrl;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the features are, and how to print what is found: what every verb on features takes. */
public final class StorageChoice {

  /** One connection for the work, one to find out what became of it when that is lost. */
  static final FeaturesOptions SETTINGS = FeaturesOptions.defaults().withConnections(2);

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Mixin private NamesOptions options;

  @Option(
      names = "--jdbc",
      paramLabel = "URL",
      defaultValue = "${env:TIDEMARK_JDBC:-}",
      description = {
        "The database: jdbc:postgresql://host/db?user=me,",
        "with &currentSchema=NAME for a schema of it.",
        "The password can be in it, in $PGPASSWORD or in",
        "~/.pgpass.",
        "Default: $TIDEMARK_JDBC, else that of 'features up'"
      })
  private String jdbc = "";

  @Option(
      names = "--storage",
      paramLabel = "ID",
      defaultValue = "${env:TIDEMARK_STORAGE:-store}",
      description = {
        "How GUIDs begin; a storage keeps the first it got.",
        "Default: $TIDEMARK_STORAGE, else store"
      })
  private String storage = "store";

  @Option(
      names = "--text-txn",
      description = {
        "In JSON, transaction numbers are text: they have",
        "19 digits, and JavaScript rounds beyond 16."
      })
  private boolean textTxn;

  /**
   * Asks the storage or the server for something.
   *
   * @param here of the storage
   * @param there of the server
   */
  public JsonNode answer(
      Function<Features, ? extends JsonNode> here,
      Function<HttpFeatures, ? extends JsonNode> there) {
    Optional<String> server = server();
    return server.isPresent() ? there.apply(HttpFeatures.at(server.get())) : with(here::apply);
  }

  /** Has something done by the storage or by the server; says what to end with. */
  public int ask(ToIntFunction<Features> here, ToIntFunction<HttpFeatures> there) {
    Optional<String> server = server();
    return server.isPresent()
        ? there.applyAsInt(HttpFeatures.at(server.get()))
        : with(here::applyAsInt);
  }

  /**
   * The server that is to do the work, when that is where the data is; empty when this process does
   * it itself, also when the data is on a server and {@code --jdbc} says where the features are.
   */
  public Optional<String> server() {
    ParseResult given = spec.commandLine().getParseResult();
    boolean database = given.hasMatchedOption("--jdbc");
    if (database && given.hasMatchedOption("--server")) {
      throw new ParameterException(
          spec.commandLine(),
          "--jdbc and --server are two places for features; give one, and where names are as"
              + " --data");
    }
    return options.server().filter(location -> !database);
  }

  /** Opens the storage, does something with it and closes it. */
  public <T> T with(Function<Features, T> work) {
    return with(SETTINGS, work);
  }

  /** The same, with settings of its own. */
  public <T> T with(FeaturesOptions settings, Function<Features, T> work) {
    try (Features features = Features.open(url().secret(), storage, settings)) {
      return work.apply(features);
    } finally {
      out().flush();
    }
  }

  /** Whether it was said where the database is, or there is a private one, running or not. */
  public boolean isKnown() {
    return !jdbc.isEmpty()
        || ClusterChoice.in(options.location())
            .filter(cluster -> !(cluster.state() instanceof ClusterState.Absent))
            .isPresent();
  }

  /** Where the database is; printed, it has no password in it. */
  public JdbcUrl url() {
    if (jdbc.isEmpty()) {
      return ClusterChoice.url(options.location())
          .orElseThrow(
              () ->
                  new ParameterException(
                      spec.commandLine(),
                      "say where the features are with --jdbc or TIDEMARK_JDBC, or make a place for"
                          + " them with 'tidemark features up'"));
    }
    return whole(jdbc);
  }

  /** A URL, with the password that the environment has if it has none itself. */
  public static JdbcUrl whole(String jdbc) {
    JdbcUrl url = JdbcUrl.parse(jdbc);
    @Nullable String password = System.getenv("PGPASSWORD");
    return password == null || url.hasPassword() ? url : url.withPassword(password);
  }

  /** How GUIDs begin. */
  public String storage() {
    return storage;
  }

  /** Where names are, for what features tell them. */
  public NamesOptions names() {
    return options;
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  public void print(JsonNode result, String text) {
    options.print(textTxn ? TxnText.of(result) : result, text);
  }

  /** Whether a program reads the output. */
  public boolean json() {
    return options.json();
  }

  /** Where to say how far long work is: nowhere when a program reads the output. */
  public Progress progress() {
    return json() ? Progress.untold(err()) : Progress.on(err());
  }

  /** Where it is said what goes wrong. */
  public PrintWriter err() {
    return options.err();
  }

  /** Where the output goes. */
  public PrintWriter out() {
    return options.out();
  }
}
