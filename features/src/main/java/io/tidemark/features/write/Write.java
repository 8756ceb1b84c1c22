// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import org.jspecify.annotations.Nullable;

/**
 * Write of a feature. If a uuid is expected, the feature must be in that state; null means any
 * state.
 */
public sealed interface Write {

  /** Creates a feature that doesn't exist yet; without an id it gets one. */
  record Create(Feature feature) implements Write {}

  /** Gives an existing feature another state. */
  record Update(Feature feature, @Nullable String expectedUuid) implements Write {}

  /** Creates a feature, or updates it if it exists. */
  record Upsert(Feature feature, @Nullable String expectedUuid) implements Write {}

  /** Deletes a feature; its last state can still be read. */
  record Delete(String id, @Nullable String expectedUuid) implements Write {}

  /**
   * Removes a feature without a deletion copy, or its deletion copy: its last state is only in the
   * history.
   */
  record Purge(String id, @Nullable String expectedUuid) implements Write {}

  /**
   * An unknown operation, by the name that the client gave: of a batch in text form, only this row
   * is {@link RowResult.Invalid}.
   *
   * @param id the feature that it names; empty when it names none
   */
  record Unknown(String op, String id) implements Write {}

  static Write create(Feature feature) {
    return new Create(feature);
  }

  static Write update(Feature feature) {
    return new Update(feature, null);
  }

  /** Updates a feature if it is still in the state that the given one was made from. */
  static Write updateIfUnchanged(Feature feature) {
    return new Update(feature, feature.xyz().flatMap(XyzNamespace::uuid).orElse(null));
  }

  static Write upsert(Feature feature) {
    return new Upsert(feature, null);
  }

  static Write delete(String id) {
    return new Delete(id, null);
  }

  static Write purge(String id) {
    return new Purge(id, null);
  }
}
