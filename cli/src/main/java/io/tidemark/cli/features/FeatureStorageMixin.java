// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.Tidemark;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeatureService;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.cli.time.TimeExpression;
import io.tidemark.embed.features.EmbeddedFeatures;
import io.tidemark.features.Features;
import io.tidemark.features.cluster.ClusterState;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.JdbcUrl;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Mixin of every verb on features: the location of the storage and the format of the output. */
public final class FeatureStorageMixin {

  /**
   * Settings with two connections: one for the work, one to find out its outcome when that is lost.
   */
  static final FeaturesOptions SETTINGS = FeaturesOptions.defaults().withConnections(2);

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

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

  /** Applies work to the storage, here or on a server, and closes it. */
  public <T> T ask(Function<FeatureService, T> work) {
    return ask(SETTINGS, work);
  }

  /**
   * Applies work to the storage, here or on a server, and closes it.
   *
   * @param settings how it is opened here
   */
  <T> T ask(FeaturesOptions settings, Function<FeatureService, T> work) {
    Optional<String> server = server();
    if (server.isPresent()) {
      try (Tidemark there = Tidemark.open(server.get())) {
        return work.apply(there.features());
      }
    }
    try (EmbeddedFeatures here = EmbeddedFeatures.open(url().secret(), storage, settings)) {
      return work.apply(here);
    } finally {
      out().flush();
    }
  }

  /**
   * Returns the server that does the work, when the data is on one. Empty when this process does it
   * itself, also when the data is on a server and {@code --jdbc} names the database of the
   * features.
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

  /** Opens the storage here, applies work that no service has, and closes it. */
  <T> T with(FeaturesOptions settings, Function<Features, T> work) {
    try (Features features = Features.open(url().secret(), storage, settings)) {
      return work.apply(features);
    } finally {
      out().flush();
    }
  }

  /** Returns whether a database was named, or a private one exists, running or not. */
  public boolean isKnown() {
    return !jdbc.isEmpty()
        || PrivateClusterLocator.locate(options.location())
            .filter(cluster -> !(cluster.state() instanceof ClusterState.Absent))
            .isPresent();
  }

  /** Returns the URL of the database; it is printed without its password. */
  public JdbcUrl url() {
    if (jdbc.isEmpty()) {
      return PrivateClusterLocator.url(options.location())
          .orElseThrow(
              () ->
                  new ParameterException(
                      spec.commandLine(),
                      "say where the features are with --jdbc or TIDEMARK_JDBC, or make a place for"
                          + " them with 'tidemark features up'"));
    }
    return withEnvironmentPassword(jdbc);
  }

  /** Returns a URL with the password of the environment if it has none itself. */
  public static JdbcUrl withEnvironmentPassword(String jdbc) {
    JdbcUrl url = JdbcUrl.parse(jdbc);
    @Nullable String password = System.getenv("PGPASSWORD");
    return password == null || url.hasPassword() ? url : url.withPassword(password);
  }

  /**
   * Returns a past state, by a transaction or a time. Prints the instant that a local time means.
   *
   * @throws ParameterException if it is neither
   */
  FeatureMoment moment(String text) {
    if (NUMBER.matcher(text).matches()) {
      return transaction(text);
    }
    Instant time =
        TimeExpression.parse(text)
            .orElseThrow(() -> unclear(text, null))
            .resolve(ZonedDateTime.now(ZoneId.systemDefault()), err());
    return new FeatureMoment(time.toString());
  }

  private FeatureMoment transaction(String text) {
    try {
      return new FeatureMoment(new Txn(Long.parseLong(text)).toString());
    } catch (NumberFormatException e) {
      throw unclear(text, e);
    } catch (InvalidRequestException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ParameterException unclear(String text, @Nullable Throwable cause) {
    return new ParameterException(
        spec.commandLine(),
        "'%s' is neither a transaction such as 2026111600000000007 nor a time such as %s"
            .formatted(text, TimeExpression.EXAMPLES),
        cause);
  }

  /** Returns the options of the names, to which changes of features are reported. */
  public NamesOptions names() {
    return options;
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  public void print(JsonNode result, String text) {
    options.print(textTxn ? TransactionNumberEncoding.of(result) : result, text);
  }

  /** Returns whether the output is JSON. */
  public boolean json() {
    return options.json();
  }

  /** Returns the progress line, which is silent when the output is JSON. */
  public ProgressLine progress() {
    return json() ? ProgressLine.none(err()) : ProgressLine.on(err());
  }

  /** Returns the writer for errors. */
  public PrintWriter err() {
    return options.err();
  }

  /** Returns the writer for output. */
  public PrintWriter out() {
    return options.out();
  }
}
