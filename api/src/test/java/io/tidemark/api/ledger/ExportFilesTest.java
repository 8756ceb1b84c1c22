// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.ExportHeader.ExportedType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportFilesTest {

  private static final String ROW = "{\"fields\":{},\"key\":\"%s\",\"type_kind\":\"%s\",%s}";

  @TempDir private Path directory;

  private static ExportedType type(String kind, String name, String file) {
    return new ExportedType(
        kind, name, file, JsonNodeFactory.instance.objectNode().put("name", name));
  }

  private static String row(String key, String kind, String name) {
    return ROW.formatted(key, kind, "\"type_name\":\"" + name + "\"");
  }

  private static ResultStream<ExportHeader, String> export(
      List<ExportedType> types, String... lines) {
    return new ResultStream<>() {
      @Override
      public ExportHeader header() {
        return new ExportHeader(7, types, List.of());
      }

      @Override
      public void forEach(Consumer<? super String> consumer) {
        List.of(lines).forEach(consumer);
      }

      @Override
      public void close() {}
    };
  }

  private List<String> files() throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void eachTypeHasAFileAlsoOneWithoutRows() throws IOException {
    List<ExportedType> types =
        List.of(
            type("entity", "Plan", "Plan.jsonl"),
            type("entity", "Team", "Team.jsonl"),
            type("relation", "Plan", "Plan@relation.jsonl"));
    String one = row("a", "entity", "Plan");
    String other = row(",\\\"type_kind\\\":\\\"entity\\\"", "entity", "Plan");
    String last = row("c", "relation", "Plan");
    List<Long> told = new ArrayList<>();

    ExportReport report = ExportFiles.write(export(types, one, other, last), directory, told::add);

    assertThat(report.commitId()).isEqualTo(7);
    assertThat(report.rows())
        .isEqualTo(Map.of("entity:Plan", 2L, "entity:Team", 0L, "relation:Plan", 1L));
    assertThat(told).containsExactly(3L);
    assertThat(files())
        .containsExactly("Plan.jsonl", "Plan@relation.jsonl", "Team.jsonl", "schema.json");
    assertThat(Files.readAllLines(directory.resolve("Plan.jsonl"))).containsExactly(one, other);
    assertThat(Files.readAllLines(directory.resolve("Plan@relation.jsonl"))).containsExactly(last);
    assertThat(Files.readString(directory.resolve("schema.json")))
        .isEqualTo("[{\"name\":\"Plan\"},{\"name\":\"Team\"},{\"name\":\"Plan\"}]\n");
  }

  @Test
  void whatFailsLeavesNoFiles() throws IOException {
    List<ExportedType> types = List.of(type("entity", "Plan", "Plan.jsonl"));
    String fine = row("a", "entity", "Plan");
    String foreign = row("b", "entity", "Team");

    assertThatThrownBy(() -> ExportFiles.write(export(types, fine, foreign), directory, rows -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThat(files()).isEmpty();
  }

  @Test
  void aFileOutsideOfTheDirectoryIsRefused() throws IOException {
    List<ExportedType> types = List.of(type("entity", "Plan", "../Plan.jsonl"));

    assertThatThrownBy(() -> ExportFiles.write(export(types), directory, rows -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThat(files()).isEmpty();
  }
}
