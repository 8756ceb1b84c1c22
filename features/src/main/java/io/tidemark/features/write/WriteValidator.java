// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.geojson.PostgresText;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Validator of writes, which also determines the id of the feature. */
final class WriteValidator {

  private final CollectionInfo collection;

  WriteValidator(CollectionInfo collection) {
    this.collection = collection;
  }

  /**
   * Returns the id under which the feature is stored; a new one for a feature to be created that
   * has none.
   */
  String of(Write write) {
    String id = sent(write);
    if (id.isEmpty() && !(write instanceof Write.Update || write instanceof Write.Unknown)) {
      return random();
    }
    return collection.stored(id);
  }

  private String random() {
    String id;
    do {
      id = UUID.randomUUID().toString().replace("-", "");
    } while (hasPrefix(id));
    return id;
  }

  /** Returns whether the id has a prefix that would be removed. */
  private boolean hasPrefix(String id) {
    return !collection.stored(id).equals(id);
  }

  /** Returns why the write is invalid regardless of the stored state; empty when it is valid. */
  Optional<RowResult> problem(Write write, String id) {
    if (write instanceof Write.Unknown unknown) {
      return invalid(
          id,
          "there is no operation '%s'; give create, update, upsert, delete or purge"
              .formatted(unknown.op()));
    }
    if (id.isEmpty() || (sent(write).isEmpty() && featureOrNull(write) == null)) {
      return invalid(id, "the feature has no id, or only the prefix of the collection; give one");
    }
    if (hasPrefix(id)) {
      return invalid(
          id, "the id has the prefix of the collection twice; give it with the prefix once");
    }
    if (PostgresText.length(id) > Feature.LONGEST_ID || !PostgresText.isStorable(id)) {
      return invalid(
          id,
          "the id has %d characters, half a character or a NUL; give 1 to %d"
              .formatted(PostgresText.length(id), Feature.LONGEST_ID));
    }
    Feature feature = featureOrNull(write);
    Geometry geometry = feature == null ? null : feature.geometry();
    if (collection.pointsOnly() && geometry != null && !geometry.isPoint()) {
      return invalid(id, "the collection takes only points, and the feature is none");
    }
    return Optional.empty();
  }

  private static Optional<RowResult> invalid(String id, String message) {
    return Optional.of(new RowResult.Invalid(id, message));
  }

  private static String sent(Write write) {
    Feature feature = featureOrNull(write);
    if (feature != null) {
      return feature.id().orElse("");
    }
    if (write instanceof Write.Delete delete) {
      return delete.id();
    }
    if (write instanceof Write.Unknown unknown) {
      return unknown.id();
    }
    return write instanceof Write.Purge purge ? purge.id() : "";
  }

  /** Returns the feature that is to be stored. */
  static Feature feature(Write write) {
    Feature feature = featureOrNull(write);
    if (feature == null) {
      throw new IllegalStateException("nothing is stored by " + write);
    }
    return feature;
  }

  private static @Nullable Feature featureOrNull(Write write) {
    if (write instanceof Write.Create create) {
      return create.feature();
    }
    if (write instanceof Write.Update update) {
      return update.feature();
    }
    return write instanceof Write.Upsert upsert ? upsert.feature() : null;
  }

  /** Returns the uuid of the state that the feature must be in; null when any will do. */
  static @Nullable String expected(Write write) {
    if (write instanceof Write.Update update) {
      return update.expectedUuid();
    }
    if (write instanceof Write.Upsert upsert) {
      return upsert.expectedUuid();
    }
    if (write instanceof Write.Delete delete) {
      return delete.expectedUuid();
    }
    return write instanceof Write.Purge purge ? purge.expectedUuid() : null;
  }
}
