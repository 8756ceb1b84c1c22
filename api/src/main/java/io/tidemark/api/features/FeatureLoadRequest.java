// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Load of a file into a collection.
 *
 * @param input features to load
 * @param create settings of a collection that is created if there is none; empty if it must exist
 * @param upsert whether features are created or replaced one by one in a collection that has some;
 *     without it such a collection is refused
 * @param lastWins whether of several features with one id the last is loaded; without it they are
 *     refused
 * @param skipInvalid maximum number of invalid features, which are left out
 * @param csv rules for CSV
 * @param parallel number of connections that load; a server has its own
 */
@RecordBuilder
public record FeatureLoadRequest(
    FeatureInput input,
    Optional<CollectionSettings> create,
    boolean upsert,
    boolean lastWins,
    long skipInvalid,
    CsvColumns csv,
    OptionalInt parallel)
    implements FeatureLoadRequestBuilder.With {

  /** Returns the load of a file into an empty collection, which the first problem ends. */
  public static FeatureLoadRequest of(FeatureInput input) {
    return new FeatureLoadRequest(
        input, Optional.empty(), false, false, 0, CsvColumns.standard(), OptionalInt.empty());
  }
}
