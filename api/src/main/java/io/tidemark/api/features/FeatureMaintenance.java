// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Outcome of maintenance. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "result")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FeatureMaintenance.Done.class, name = "done"),
  @JsonSubTypes.Type(value = FeatureMaintenance.Busy.class, name = "busy")
})
public sealed interface FeatureMaintenance {

  /**
   * All that was due was tried.
   *
   * @param upkeep work on the log, then on what loads left, then on each collection by id
   */
  record Done(List<Upkeep> upkeep) implements FeatureMaintenance {
    public Done {
      upkeep = List.copyOf(upkeep);
    }
  }

  /** Another process maintains the storage; nothing was done. */
  record Busy() implements FeatureMaintenance {}

  /**
   * Work on a collection, or on the log.
   *
   * @param name id of the collection, {@code naksha_tx} for the log, or {@code naksha_load} for
   *     what loads left
   * @param steps work on its tables
   * @param statistics result of the measurement; empty if nothing was measured
   * @param failure reason why not all could be done; empty if it could
   */
  record Upkeep(
      String name,
      List<Step> steps,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Statistics> statistics,
      Optional<String> failure) {
    public Upkeep {
      steps = List.copyOf(steps);
    }
  }

  /**
   * Work on a table.
   *
   * @param kind created, dropped, sealed, merged or skipped
   * @param detail more in words; may be empty
   */
  record Step(String kind, String table, String detail) {}

  /**
   * Measurement of a collection.
   *
   * @param features number of features
   * @param byteSize size of the longest feature as text, without its geometry
   * @param compressedSize size of the largest feature as PostgreSQL stores it
   * @param byQrid number of features of each part of the world, by the beginning of their qrid
   */
  record Statistics(
      long features,
      @JsonProperty("byteSize") long byteSize,
      @JsonProperty("compressedSize") long compressedSize,
      SortedMap<String, Long> byQrid) {
    public Statistics {
      byQrid = Collections.unmodifiableSortedMap(new TreeMap<>(byQrid));
    }
  }
}
