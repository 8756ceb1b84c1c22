// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.cli.terminal.Table;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.view.RecordJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Format of records and concerns, as text and as JSON. */
public final class RecordFormatter {

  private RecordFormatter() {}

  /** Returns a record over several lines. */
  public static String text(NameRecord record) {
    List<List<String>> lines = new ArrayList<>();
    NameRecord.Meta meta = record.meta();
    lines.add(List.of("address", record.address().toString()));
    lines.add(List.of("kind", meta.kind().text() + meta.sourceType().map(t -> " " + t).orElse("")));
    if (!meta.dependencies().isEmpty()) {
      lines.add(List.of("made from", String.join(", ", meta.dependencies())));
    }
    meta.createdAt().ifPresent(seconds -> lines.add(List.of("created", time(seconds))));
    lines.add(List.of("updated", Instant.ofEpochMilli(meta.updatedAtMs()).toString()));
    meta.sourceBranch().ifPresent(branch -> lines.add(List.of("branched from", branch)));
    if (meta.branches() > 0) {
      lines.add(List.of("branches", String.valueOf(meta.branches())));
    }
    if (meta.retracted()) {
      lines.add(List.of("retracted", "yes"));
    }
    for (Concern concern : RecordJson.concernsOf(meta.kind())) {
      lines.add(List.of(concern.text(), text(record.concern(concern))));
    }
    return Table.aligned(lines);
  }

  /**
   * Formats seconds since 1970; a number outside the calendar, from another program, is unchanged.
   */
  static String time(long seconds) {
    boolean dated =
        seconds >= Instant.MIN.getEpochSecond() && seconds <= Instant.MAX.getEpochSecond();
    return dated ? Instant.ofEpochSecond(seconds).toString() : seconds + " s since 1970";
  }

  static String text(ConcernValue value) {
    return value.isUnborn() ? "unborn" : value.toString();
  }

  static String text(Optional<ConcernValue> value) {
    return value.map(RecordFormatter::text).orElse("absent");
  }

  /** Returns a table of records, a line each. */
  public static String table(List<NameRecord> records) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("ADDRESS", "KIND", "STATE", "HEAD", "INDEX"));
    for (NameRecord record : records) {
      lines.add(
          List.of(
              record.address().toString(),
              record.meta().sourceType().map(Object::toString).orElse(record.meta().kind().text()),
              record.status().payload().flatMap(p -> p.string("state")).orElse("?"),
              record.meta().kind() == RecordKind.LEDGER ? text(record.commit()) : "-",
              text(record.indexed())));
    }
    return Table.aligned(lines);
  }

  private static String text(Ref ref) {
    return ref.id().map(id -> ref.t() + " " + id).orElse("unborn");
  }
}
