// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.view.MigrationEntryJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Report of a migration that ran, or of one that would. */
final class MigrationReport {

  private final MigrationMode mode;
  private final List<MigrationEntry> lines = new ArrayList<>();

  MigrationReport(MigrationMode mode) {
    this.mode = mode;
  }

  MigrationMode mode() {
    return mode;
  }

  void add(MigrationEntry line) {
    lines.add(line);
  }

  int size() {
    return lines.size();
  }

  long count(Outcome outcome) {
    return lines.stream().filter(line -> line.outcome() == outcome).count();
  }

  ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("applied", mode == MigrationMode.APPLY);
    for (Outcome outcome : Outcome.values()) {
      json.put(outcome.name().toLowerCase(Locale.ROOT), count(outcome));
    }
    ArrayNode objects = json.putArray("objects");
    for (MigrationEntry line : lines) {
      objects.add(MigrationEntryJson.of(line));
    }
    return json;
  }

  String text() {
    if (lines.isEmpty()) {
      return "nothing is in an older form";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("FROM", "FORM", "RECORD", "OUTCOME", "NOTE"));
    for (MigrationEntry line : lines) {
      List<String> row = new ArrayList<>();
      row.add(line.from());
      row.add(line.form());
      row.add(line.to().map(Object::toString).orElse("?"));
      row.add(word(line.outcome()));
      if (!line.note().isEmpty()) {
        row.add(line.note());
      }
      rows.add(row);
    }
    return Table.aligned(rows) + System.lineSeparator() + System.lineSeparator() + summary();
  }

  private String word(Outcome outcome) {
    return switch (outcome) {
      case CONVERTED -> mode == MigrationMode.APPLY ? "converted" : "convertible";
      case SUPERSEDED -> "superseded";
      case FAILED -> "failed";
    };
  }

  /** Returns the numbers, and the next step. */
  private String summary() {
    StringBuilder text = new StringBuilder();
    for (Outcome outcome : Outcome.values()) {
      text.append(text.isEmpty() ? "" : ", ").append(count(outcome)).append(' ');
      text.append(word(outcome));
    }
    boolean left = count(Outcome.CONVERTED) + count(Outcome.SUPERSEDED) > 0;
    if (mode == MigrationMode.DRY_RUN) {
      text.append("; nothing was written").append(left ? ", run it with --apply to convert" : "");
    }
    if (count(Outcome.FAILED) > 0) {
      text.append(System.lineSeparator())
          .append("What failed is as it was: do what its note says, then run this again.");
    }
    return text.toString();
  }
}
