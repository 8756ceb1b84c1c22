// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.log.LoggingSetup;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Training run of class data sharing: runs commands so that their classes are loaded. {@code
 * ./tidemark} lets the JVM record these classes in the archive that later starts map into memory. A
 * verb that should start fast gets a line here. Commands that need a store get a temporary
 * directory.
 */
final class CdsTraining {

  private static final List<String> PLAIN = List.of("--version", "--help", "help help", "no-verb");

  /** Commands on a new ledger, so that its files are written and read, too. */
  private static final List<String> ON_DATA =
      List.of(
          "ledger init rehearsal",
          "commit rehearsal ROWS --type Note --schema SCHEMA -m first --meta by=rehearsal",
          "log rehearsal",
          "changes rehearsal 1",
          "changes rehearsal 1 --json",
          "query rehearsal Note --where size>1 --order rank --cache CACHE",
          "query rehearsal Note --explain --cache CACHE", // of small files only this asks DuckDB
          "branch create rehearsal dev",
          "diff rehearsal main..dev",
          "merge rehearsal dev",
          "ledger info rehearsal --stats --schema",
          "schema show rehearsal",
          "schema history rehearsal Note",
          "schema validate rehearsal SCHEMA",
          "export rehearsal --output OUT",
          "import rehearsal OUT --on-conflict upsert --apply",
          "index verify rehearsal",
          "index repair rehearsal",
          "compact rehearsal --all",
          "gc rehearsal",
          "list",
          "show rehearsal",
          "remote add backup BACKUP",
          "push rehearsal --remote backup --set-upstream",
          "pull rehearsal",
          "fetch",
          "events publish note.written {\"id\":\"n1\"} --id rehearsal",
          "events list",
          "events claim reader --session rehearsal",
          "events ack rehearsal --handler reader --session rehearsal",
          "events show rehearsal",
          "events tail --from-start --count 1",
          "features status",
          // Nothing listens there; by then most classes of the client are loaded.
          "features get a b --jdbc jdbc:postgresql://127.0.0.1:1/none");

  private static final String SCHEMA =
      "{\"entity\":\"Note\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"at\":\"instant?\","
          + "\"size\":\"long\",\"rank\":\"double\",\"price\":\"decimal\",\"done\":\"boolean\","
          + "\"tags\":[\"string\"]}}";
  private static final String ROWS =
      "{\"id\":\"n1\",\"at\":\"2026-01-01T00:00:00Z\",\"size\":1,\"rank\":0.5,\"price\":1.25,"
          + "\"done\":true,\"tags\":[\"a\"]}\n"
          + "{\"id\":\"n2\",\"size\":2,\"rank\":1.5,\"price\":2,\"done\":false,\"tags\":[]}\n";

  private CdsTraining() {}

  /** Runs all commands; their output is discarded. */
  public static void main(String[] args) throws IOException {
    LoggingSetup.configure(args);
    boolean unused = StandardOutput.isIncomplete();
    PLAIN.forEach(line -> run(List.of(line.split(" "))));
    Path directory = Files.createTempDirectory("tidemark-rehearsal-");
    try {
      onData(directory);
    } finally {
      remove(directory);
    }
  }

  private static void onData(Path directory) throws IOException {
    Path schema = Files.writeString(directory.resolve("schema.json"), SCHEMA);
    Path rows = Files.writeString(directory.resolve("rows.jsonl"), ROWS);
    for (String line : ON_DATA) {
      List<String> words = new ArrayList<>(List.of(line.split(" ")));
      words.replaceAll(
          word ->
              switch (word) {
                case "SCHEMA" -> schema.toString();
                case "ROWS" -> rows.toString();
                case "OUT" -> directory.resolve("out").toString();
                case "BACKUP" -> directory.resolve("backup").toString();
                case "CACHE" -> directory.resolve("cache").toString();
                default -> word;
              });
      words.addAll(List.of("--data", directory.resolve("data").toString()));
      run(words);
    }
  }

  private static void run(List<String> words) {
    PrintWriter nowhere =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    TidemarkCommand.run(CommandDescriptor.all(), nowhere, nowhere, words.toArray(String[]::new));
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
