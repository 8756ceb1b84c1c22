// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.model.CollectionInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Text format of collections; their JSON is printed unchanged. */
final class CollectionFormatter {

  private CollectionFormatter() {}

  /** Returns a collection over several lines. */
  static String text(FeatureCollectionInfo collection) {
    CollectionInfo info = new CollectionInfo(collection.json());
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("collection", info.id() + (info.deleted() ? " (deleted)" : "")));
    lines.add(List.of("features", features(info)));
    lines.add(List.of("history", history(info)));
    lines.add(List.of("tables", tables(info)));
    lines.add(List.of("deleted features", info.autoPurge() ? "only in the history" : "kept"));
    if (info.pointsOnly()) {
      lines.add(List.of("geometries", "points only"));
    }
    if (info.optimalPartitioning()) {
      lines.add(List.of("partitioning", "counted by place, by 'features maintain'"));
    }
    info.idPrefix().ifPresent(prefix -> lines.add(List.of("id prefix", prefix)));
    info.author().ifPresent(author -> lines.add(List.of("author", author)));
    lines.add(List.of("created", time(info, "createdAt")));
    lines.add(List.of("changed", time(info, "updatedAt")));
    return Table.aligned(lines);
  }

  /** Returns a table of collections, a line each. */
  static String table(List<FeatureCollectionInfo> collections) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("COLLECTION", "STATE", "HISTORY", "TABLES", "CHANGED"));
    for (FeatureCollectionInfo collection : collections) {
      CollectionInfo info = new CollectionInfo(collection.json());
      lines.add(
          List.of(
              info.id(),
              info.deleted() ? "deleted" : "there",
              history(info),
              tables(info),
              time(info, "updatedAt")));
    }
    return Table.aligned(lines);
  }

  private static String features(CollectionInfo info) {
    OptionalLong count = info.estimatedFeatureCount();
    return count.isPresent()
        ? "about " + count.getAsLong()
        : "not counted yet; 'features maintain' does";
  }

  private static String history(CollectionInfo info) {
    return info.historyEnabled() ? Plural.of(info.maxAge(), "day") : "off";
  }

  private static String tables(CollectionInfo info) {
    return info.partitioned() ? "16" : "1";
  }

  private static String time(CollectionInfo info, String name) {
    return Instant.ofEpochMilli(info.json().path(name).asLong()).toString();
  }
}
