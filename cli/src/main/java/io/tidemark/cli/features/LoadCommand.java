// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CsvColumns;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureFormat;
import io.tidemark.api.features.FeatureInput;
import io.tidemark.api.features.FeatureLoadReport;
import io.tidemark.api.features.FeatureLoadRequest;
import io.tidemark.api.features.FeatureService;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadStoppedException;
import io.tidemark.features.db.FeaturesOptions;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features load COLLECTION FILE}. */
@Command(
    name = "load",
    description =
        "Loads a file into a collection that is new or empty, much faster than by single writes:"
            + " all of it or nothing. Others see the collection as it was until it is done.",
    footer = {
      "",
      "It takes a GeoJSON FeatureCollection of any size, GeoJSONSeq (a feature a line,",
      "or RFC 8142), and CSV with columns for longitude and latitude; compressed if",
      "the name ends in .gz. Ctrl-C leaves nothing of it.",
      "",
      "Exit code 4: the file has invalid features, or an id twice; 7: the collection",
      "has features already.",
      "",
      "Examples:",
      "  tidemark features load roads roads.geojson.gz --create",
      "  tidemark features load stops stops.csv --create --points-only --lon x --lat y",
      "  tidemark features load roads more.geojsonl --upsert",
      "  zcat roads.csv.gz | tidemark features load roads - --format csv --json"
    })
final class LoadCommand implements Callable<Integer> {

  private static final int MOST_TOLD = 10;

  private static final Set<FeatureFormat> FORMATS =
      EnumSet.of(FeatureFormat.GEOJSON, FeatureFormat.GEOJSONSEQ, FeatureFormat.CSV);

  @Spec private CommandSpec spec;
  @Mixin private FeatureStorageMixin storage;
  @Mixin private ActorOptions actor;
  @Mixin private CollectionSettingsMixin settings;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file, or - for standard input.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = {
        "geojson, geojsonseq or csv.",
        "Default: what the name says; geojsonseq for -"
      })
  private @Nullable String format;

  @Option(names = "--create", description = "Create the collection if there is none.")
  private boolean create;

  @Option(names = "--one-table", description = "With --create: one table instead of sixteen.")
  private boolean oneTable;

  @Option(names = "--points-only", description = "With --create: takes no other geometries.")
  private boolean pointsOnly;

  @Option(
      names = "--upsert",
      description = "Into a collection with features: create or replace, one by one.")
  private boolean upsert;

  @Option(names = "--last-wins", description = "Of several with the same id, the last counts.")
  private boolean lastWins;

  @Option(
      names = "--skip-invalid",
      paramLabel = "N",
      description = "Leave out up to N invalid features, and tell them.")
  private long mostInvalid;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = {"How many connections load.", "Default: one a processor, from 2 to 8"})
  private int parallel = LoadOptions.standard().parallel();

  @ArgGroup(exclusive = false, heading = "CSV:%n")
  private CsvOptionGroup csvOptionGroup = new CsvOptionGroup();

  /** Options of reading CSV. */
  static final class CsvOptionGroup {
    @Option(
        names = "--lon",
        paramLabel = "COLUMN",
        description = "The longitude. Default: lon, longitude, lng, long or x")
    private @Nullable String lon;

    @Option(
        names = "--lat",
        paramLabel = "COLUMN",
        description = "The latitude. Default: lat, latitude or y")
    private @Nullable String lat;

    @Option(names = "--id", paramLabel = "COLUMN", description = "The id. Default: id, if any")
    private @Nullable String id;

    @Option(
        names = "--delimiter",
        paramLabel = "C",
        description = "Between columns. Default: what the header has most of , ; tab |")
    private @Nullable Character delimiter;

    @Option(names = "--text", description = "All values are texts, whatever they look like.")
    private boolean text;

    CsvColumns columns() {
      return new CsvColumns(
          Optional.ofNullable(lon),
          Optional.ofNullable(lat),
          Optional.ofNullable(id),
          Optional.ofNullable(delimiter),
          text);
    }
  }

  @Override
  public Integer call() {
    FeatureLoadRequest request = request();
    FeaturesOptions connections =
        FeaturesOptions.defaults().withConnections(Math.max(1, parallel) + 2);
    return storage.ask(connections, service -> load(service, request));
  }

  private FeatureLoadRequest request() {
    if (!create
        && (oneTable || pointsOnly || !settings.settings().equals(CollectionSettings.none()))) {
      throw new ParameterException(
          spec.commandLine(), "options of a collection are for one that is made; say --create too");
    }
    CollectionSettings made = settings.settings(oneTable, pointsOnly);
    return new FeatureLoadRequest(
        input(),
        create ? Optional.of(made) : Optional.empty(),
        upsert,
        lastWins,
        mostInvalid,
        csvOptionGroup.columns(),
        OptionalInt.of(parallel));
  }

  private FeatureInput input() {
    if (file.equals("-")) {
      return FeatureInput.of(System.in, "standard input", chosen(FeatureFormat.GEOJSONSEQ));
    }
    Path path = Path.of(file);
    return format == null
        ? FeatureInput.of(path)
        : FeatureInput.of(path, chosen(FeatureFormat.GEOJSON));
  }

  private FeatureFormat chosen(FeatureFormat usual) {
    if (format == null) {
      return usual;
    }
    return FeatureFormat.of(format)
        .filter(FORMATS::contains)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "there is no format '" + format + "'; say geojson, geojsonseq or csv"));
  }

  private int load(FeatureService service, FeatureLoadRequest request) {
    FeatureContext context = actor.context();
    if (storage.server().isPresent()) {
      return loaded(service.with(context), request);
    }
    // A process that is told to end waits for all this, also for the output.
    try (LoadShutdownHook unused = LoadShutdownHook.onSignal(context.cancellation())) {
      return loaded(service.with(context), request);
    }
  }

  private int loaded(FeatureService service, FeatureLoadRequest request) {
    try {
      FeatureLoadReport report = run(service, request);
      storage.print(WireJson.tree(report), text(report));
      storage.out().flush();
      return ExitCodes.OK;
    } catch (LoadStoppedException e) {
      storage.err().println("tidemark: " + e.getMessage());
      storage.err().flush();
      return ExitCodes.FAILED;
    }
  }

  private FeatureLoadReport run(FeatureService service, FeatureLoadRequest request) {
    ProgressLine progressLine = storage.progress();
    try {
      return service
          .collection(collection)
          .transfer()
          .load(request, at -> progressLine.show(LoadProgressFormatter.text(at)));
    } finally {
      progressLine.clear();
    }
  }

  private static String text(FeatureLoadReport report) {
    StringBuilder text = new StringBuilder();
    text.append(LoadProgressFormatter.count(report.loaded())).append(" loaded into ");
    text.append(report.collection()).append(", transaction ").append(report.txn());
    if (report.replaced() > 0) {
      text.append("; ").append(report.replaced()).append(" replaced by later ones");
    }
    if (report.skipped() > 0) {
      text.append("; ").append(report.skipped()).append(" left out:");
      report.problems().stream()
          .limit(MOST_TOLD)
          .map(TerminalEscaping::escapeLine)
          .forEach(why -> text.append(System.lineSeparator()).append("  ").append(why));
      if (report.skipped() > MOST_TOLD) {
        text.append(System.lineSeparator()).append("  and others");
      }
    }
    return text.toString();
  }
}
