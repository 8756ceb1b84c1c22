// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.client.features.HttpFeatures;
import io.tidemark.client.features.HttpLoad;
import io.tidemark.features.Features;
import io.tidemark.features.bulk.Load;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.LoadStoppedException;
import io.tidemark.features.bulk.input.CsvOptions;
import io.tidemark.features.bulk.input.CsvOptions.Typing;
import io.tidemark.features.bulk.input.FileTrouble;
import io.tidemark.features.bulk.input.Format;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.view.LoadJson;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
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
  private Csv csv = new Csv();

  /** How CSV is read. */
  static final class Csv {
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

    /** The same for a server. */
    Map<String, String> parameters() {
      Map<String, String> all = new TreeMap<>();
      put(all, "lon", lon);
      put(all, "lat", lat);
      put(all, "id", id);
      put(all, "delimiter", delimiter == null ? null : delimiter.toString());
      put(all, "text", text ? "true" : null);
      return all;
    }

    private static void put(Map<String, String> all, String name, @Nullable String value) {
      if (value != null) {
        all.put(name, value);
      }
    }

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
    LoadOptions options = options();
    if (storage.server().isPresent()) {
      return print(storage.answer(features -> NullNode.instance, this::sent));
    }
    Input input = input().with(csv.options());
    return storage.with(
        FeaturesOptions.defaults().withConnections(parallel + 2),
        features -> load(features, input, options));
  }

  /** Sends the file to a server, which loads it. */
  private JsonNode sent(HttpFeatures server) {
    Input input = input();
    Progress progress = storage.progress();
    try {
      return actor
          .of(server)
          .load(
              collection,
              new HttpLoad(
                  input.format().name().toLowerCase(Locale.ROOT).replace("_", ""),
                  input.isCompressed(),
                  parameters(),
                  () -> new Told(opened(input), input.size(), progress)));
    } finally {
      progress.end();
    }
  }

  private static InputStream opened(Input input) {
    Path path = input.file();
    try {
      return path == null ? System.in : Files.newInputStream(path);
    } catch (IOException e) {
      throw new InvalidInputException(
          "%s can't be read: %s".formatted(path, FileTrouble.words(e)), e);
    }
  }

  /** What is to be known beside the file. */
  private Map<String, String> parameters() {
    Map<String, String> all = new TreeMap<>(csv.parameters());
    LoadOptions options = options();
    if (options.create() != null) {
      all.put("create", options.create().json());
    }
    all.put("upsert", Boolean.toString(upsert));
    all.put("lastWins", Boolean.toString(lastWins));
    all.put("skipInvalid", Long.toString(mostInvalid));
    return all;
  }

  /** A file that is sent, with word of how far it is. */
  private static final class Told extends FilterInputStream {
    private final OptionalLong size;
    private final Progress progress;
    private long sent;

    Told(InputStream in, OptionalLong size, Progress progress) {
      super(in);
      this.size = size;
      this.progress = progress;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int read = super.read(bytes, from, length);
      sent += Math.max(0, read);
      progress.at(ShownLoad.sent(sent, size));
      return read;
    }
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
      return print(LoadJson.of(report));
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

  private int print(JsonNode report) {
    storage.print(report, text(report));
    storage.out().flush();
    return ExitCodes.OK;
  }

  private static String text(JsonNode report) {
    StringBuilder text = new StringBuilder();
    text.append(ShownLoad.count(report.path("loaded").asLong())).append(" loaded into ");
    text.append(report.path("collection").asText());
    text.append(", transaction ").append(report.path("txn").asText());
    long replaced = report.path("replaced").asLong();
    if (replaced > 0) {
      text.append("; ").append(replaced).append(" replaced by later ones");
    }
    long skipped = report.path("skipped").asLong();
    if (skipped > 0) {
      text.append("; ").append(skipped).append(" left out:");
      StreamSupport.stream(report.path("problems").spliterator(), false)
          .limit(MOST_TOLD)
          .map(why -> Plain.line(why.asText()))
          .forEach(why -> text.append(System.lineSeparator()).append("  ").append(why));
      if (skipped > MOST_TOLD) {
        text.append(System.lineSeparator()).append("  and others");
      }
    }
    return text.toString();
  }
}
