// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.features.CollectionOptions;
import io.tidemark.features.Features;
import io.tidemark.features.FeaturesOptions;
import io.tidemark.features.bulk.Load;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.LoadStoppedException;
import io.tidemark.features.bulk.input.CsvOptions;
import io.tidemark.features.bulk.input.CsvOptions.Typing;
import io.tidemark.features.bulk.input.Format;
import io.tidemark.features.bulk.input.Input;
import java.nio.file.Path;
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
    description = {
      "Loads a file into a collection that is new or empty, much faster than by single",
      "writes: all of it or nothing. Others see the collection as it was until it is done.",
      "Takes a GeoJSON FeatureCollection of any size, GeoJSONSeq (a feature a line, or RFC",
      "8142), and CSV with columns for longitude and latitude; compressed if it ends in .gz."
    },
    footer = {
      "",
      "Exit code 4: the file has invalid features, or an id twice; 7: the collection has",
      "features already.",
      "",
      "Examples:",
      "  tidemark features load roads roads.geojson.gz --create",
      "  tidemark features load stops stops.csv --create --points-only --lon x --lat y",
      "  tidemark features load roads more.geojsonl --upsert"
    })
final class LoadVerb implements Callable<Integer> {

  private static final int MOST_TOLD = 10;

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;
  @Mixin private ActorOptions actor;
  @Mixin private CollectionSettings settings;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file, or - for standard input.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "geojson, geojsonseq or csv. Default: what the file's name says.")
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

  @Option(names = "--parallel", paramLabel = "N", description = "How many connections load.")
  private int parallel = LoadOptions.standard().parallel();

  @ArgGroup(exclusive = false, heading = "CSV:%n")
  private Csv csv = new Csv();

  /** How CSV is read. */
  static final class Csv {
    @Option(names = "--lon", paramLabel = "COLUMN", description = "The longitude.")
    private @Nullable String lon;

    @Option(names = "--lat", paramLabel = "COLUMN", description = "The latitude.")
    private @Nullable String lat;

    @Option(names = "--id", paramLabel = "COLUMN", description = "The id. Default: id, if any")
    private @Nullable String id;

    @Option(names = "--delimiter", paramLabel = "C", description = "Between columns.")
    private @Nullable Character delimiter;

    @Option(names = "--text", description = "All values are texts, whatever they look like.")
    private boolean text;

    CsvOptions options() {
      return CsvOptions.standard()
          .withColumns(lon, lat)
          .withId(id)
          .separatedBy(delimiter)
          .typed(text ? Typing.TEXT : Typing.BY_LOOKS);
    }
  }

  @Override
  public Integer call() {
    Input input = input().with(csv.options());
    LoadOptions options = options();
    return storage.with(
        FeaturesOptions.defaults().withConnections(parallel + 2),
        features -> load(features, input, options));
  }

  private Input input() {
    if (file.equals("-")) {
      return Input.of(System.in, chosen(Format.GEOJSON_SEQ));
    }
    Path path = Path.of(file);
    return format == null ? Input.of(path) : Input.of(path, chosen(Format.GEOJSON));
  }

  private Format chosen(Format usual) {
    if (format == null) {
      return usual;
    }
    return switch (format) {
      case "geojson" -> Format.GEOJSON;
      case "geojsonseq" -> Format.GEOJSON_SEQ;
      case "csv" -> Format.CSV;
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "there is no format '" + format + "'; say geojson, geojsonseq or csv");
    };
  }

  private LoadOptions options() {
    if (!create && (oneTable || pointsOnly || !settings.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "options of a collection are for one that is made; say --create too");
    }
    CollectionOptions made = settings.addedTo(CollectionOptions.none());
    made = oneTable ? made.unpartitioned() : made;
    made = pointsOnly ? made.pointsOnly() : made;
    LoadOptions options =
        LoadOptions.standard()
            .with(upsert ? Existing.UPSERT : Existing.REFUSE)
            .with(lastWins ? Duplicates.LAST_WINS : Duplicates.REFUSE)
            .skipping(mostInvalid)
            .inParallel(parallel);
    return create ? options.creating(made) : options;
  }

  private int load(Features features, Input input, LoadOptions options) {
    Load load = features.bulk().load(actor.actor(), collection, input, options);
    // A process that is told to end waits for all this, for what is said too.
    StopLoad stop = StopLoad.onSignal(load);
    try (stop) {
      return told(load);
    }
  }

  private int told(Load load) {
    try {
      LoadReport report = run(load);
      storage.print(json(report), text(report));
      storage.out().flush();
      return ExitCodes.OK;
    } catch (LoadStoppedException e) {
      storage.err().println("tidemark: " + e.getMessage());
      storage.err().flush();
      return ExitCodes.FAILED;
    }
  }

  private LoadReport run(Load load) {
    Progress progress = storage.progress();
    try {
      return load.run(at -> progress.at(ShownLoad.text(at)));
    } finally {
      progress.end();
    }
  }

  private static ObjectNode json(LoadReport report) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("collection", report.collection())
            .put("txn", report.txn().value())
            .put("loaded", report.loaded())
            .put("replaced", report.replaced())
            .put("skipped", report.skipped())
            .put("seconds", report.took().toMillis() / 1e3);
    ArrayNode problems = json.putArray("problems");
    report.problems().forEach(problems::add);
    return json;
  }

  private static String text(LoadReport report) {
    StringBuilder text = new StringBuilder();
    text.append(ShownLoad.count(report.loaded())).append(" loaded into ");
    text.append(report.collection()).append(", transaction ").append(report.txn());
    if (report.replaced() > 0) {
      text.append("; ").append(report.replaced()).append(" replaced by later ones");
    }
    if (report.skipped() > 0) {
      text.append("; ").append(report.skipped()).append(" left out:");
      report.problems().stream()
          .limit(MOST_TOLD)
          .forEach(why -> text.append(System.lineSeparator()).append("  ").append(Plain.line(why)));
      if (report.skipped() > MOST_TOLD) {
        text.append(System.lineSeparator()).append("  and others");
      }
    }
    return text.toString();
  }
}
