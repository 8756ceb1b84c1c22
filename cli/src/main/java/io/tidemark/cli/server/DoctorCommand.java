// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.features.FeatureStorageMixin;
import io.tidemark.cli.features.PrivateClusterLocator;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.server.Diagnosis.Verdict;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.names.NameLocations;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark doctor}. */
@Command(
    description =
        "Looks at what Tidemark needs, and says what is wrong and what to do: Java, the store and"
            + " its conditional writes, credentials, clocks, room on the disk, PostgreSQL if there"
            + " is one, records and unfinished drops, a sample of the files of ledgers, what a"
            + " server would know its callers by. Writes one small object and deletes it. With"
            + " --server: whether the server answers and has what it needs, its version and clock,"
            + " and what the token allows.",
    footer = {
      "",
      "Exit code 1: something doesn't work.",
      "",
      "Examples:",
      "  tidemark doctor",
      "  tidemark doctor --data dynamodb://table --objects s3://bucket/prefix",
      "  tidemark doctor --server https://host:7700 --token-file token",
      "  tidemark doctor --tokens tokens.json --jwt-keys https://issuer/keys",
      "  tidemark doctor --jdbc 'jdbc:postgresql://host/db?user=me' --json"
    })
public final class DoctorCommand implements Callable<Integer> {

  private static final long LITTLE_ROOM = 1L << 30;
  private static final String CHECK_DATA = "check --data, and the credentials for it";

  @Mixin private NamesOptions options;

  @Option(
      names = "--jdbc",
      paramLabel = "URL",
      defaultValue = "${env:TIDEMARK_JDBC:-}",
      description = "The database of features. Default: $TIDEMARK_JDBC")
  private String jdbc = "";

  @Option(
      names = "--objects",
      paramLabel = "URI",
      description = "Where ledgers and events are, if --data has only names.")
  private @Nullable String objects;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "What 'serve' is to know its callers by.")
  private @Nullable Path tokens;

  @Option(
      names = "--jwt-keys",
      paramLabel = "URL|FILE",
      description = "What 'serve' is to believe JWT by.")
  private @Nullable String keys;

  @Override
  public Integer call() {
    List<Diagnosis> found = new ArrayList<>();
    found.add(java());
    found.add(room("temporary files", Path.of(System.getProperty("java.io.tmpdir"))));
    found.addAll(options.server().map(ServerCheck::of).orElseGet(this::data));
    Optional.ofNullable(objects).ifPresent(place -> found.addAll(store(place)));
    found.addAll(database());
    Optional.ofNullable(tokens).ifPresent(file -> found.add(AuthenticationCheck.tokens(file)));
    Optional.ofNullable(keys).ifPresent(place -> found.add(AuthenticationCheck.keys(place)));
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    List<List<String>> rows = new ArrayList<>();
    for (Diagnosis each : found) {
      String verdict = each.verdict().name().toLowerCase(Locale.ROOT);
      json.addObject()
          .put("what", each.what())
          .put("verdict", verdict)
          .put("detail", each.detail())
          .put("remedy", each.remedy());
      rows.add(
          List.of(
              verdict,
              each.what(),
              each.detail() + (each.remedy().isEmpty() ? "" : "; " + each.remedy())));
    }
    options.print(json, Table.aligned(rows));
    options.out().flush();
    boolean ill = found.stream().anyMatch(each -> each.verdict() == Verdict.FAILURE);
    return ill ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private static Diagnosis java() {
    long heap = Runtime.getRuntime().maxMemory() >> 20;
    String detail = "version " + Runtime.version() + ", at most " + heap + " MB";
    return heap < 256
        ? Diagnosis.warning("Java", detail, "give it more memory (-Xmx), as for compaction")
        : Diagnosis.ok("Java", detail);
  }

  private static Diagnosis room(String what, Path directory) {
    try {
      Path there = directory;
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      long free = Files.getFileStore(there).getUsableSpace();
      String detail = directory + " has " + (free >> 20) + " MB free";
      if (!Files.isWritable(there)) {
        return Diagnosis.failure(what, there + " can't be written", "grant it, or choose another");
      }
      return free < LITTLE_ROOM
          ? Diagnosis.warning(what, detail, "make room")
          : Diagnosis.ok(what, detail);
    } catch (IOException e) {
      return Diagnosis.failure(what, directory + ": " + e.getMessage(), "check the disk");
    }
  }

  private List<Diagnosis> data() {
    List<Diagnosis> found = new ArrayList<>();
    String location = options.location();
    PrivateClusterLocator.directory(location)
        .ifPresent(directory -> found.add(room("disk", directory)));
    try (NameService names = NameService.open(location)) {
      found.add(
          Diagnosis.of(
              "names",
              CHECK_DATA,
              () -> {
                Object unused = names.marker().read(Optional.empty());
                return Diagnosis.ok("names", names.location() + " answers");
              }));
      found.addAll(RecordsCheck.of(names));
      found.addAll(
          names.objects().map(StoreCheck::of).orElseGet(() -> List.of(NamesCheck.of(names))));
      // Without --objects, names on DynamoDB don't say where their ledgers are.
      if (objects == null && names.objects().isPresent()) {
        found.addAll(LedgersCheck.of(names, new Random()));
      }
    } catch (TidemarkException e) {
      found.add(Diagnosis.failure("names", String.valueOf(e.getMessage()), CHECK_DATA));
    }
    return found;
  }

  /** Checks a store apart from the names, and the ledgers in it. */
  private List<Diagnosis> store(String place) {
    try (ObjectStore store = ObjectStore.open(place)) {
      List<Diagnosis> found = new ArrayList<>(StoreCheck.of(store));
      if (options.server().isEmpty()) {
        NameOptions beside = NameOptions.standard().withLedgerStore(store);
        try (NameService names = new NameService(NameLocations.open(options.location()), beside)) {
          found.addAll(LedgersCheck.of(names, new Random()));
        }
      }
      return found;
    } catch (TidemarkException e) {
      return List.of(
          Diagnosis.failure(
              "store",
              String.valueOf(e.getMessage()),
              "check --objects, and the credentials for it"));
    }
  }

  private List<Diagnosis> database() {
    try {
      return (jdbc.isEmpty()
              ? PrivateClusterLocator.url(options.location())
              : Optional.of(FeatureStorageMixin.withEnvironmentPassword(jdbc)))
          .map(DatabaseCheck::of)
          .orElse(List.of());
    } catch (StorageUnavailableException e) {
      // Thrown for a private PostgreSQL that doesn't run; the message says what to do.
      return List.of(Diagnosis.failure("PostgreSQL", String.valueOf(e.getMessage()), ""));
    }
  }
}
