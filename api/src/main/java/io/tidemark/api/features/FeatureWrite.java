// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Write of a feature in a batch.
 *
 * @param op create, update, upsert, delete or purge
 * @param feature feature to write; empty for delete and purge
 * @param id id of the feature to delete or purge
 * @param expect uuid of the state that the feature must be in; empty for any
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FeatureWrite(
    String op, Optional<ObjectNode> feature, Optional<String> id, Optional<String> expect) {

  /** Returns the creation of a feature, which gets an id if it has none. */
  public static FeatureWrite create(ObjectNode feature) {
    return of("create", feature);
  }

  /** Returns the change of a feature that exists. */
  public static FeatureWrite update(ObjectNode feature) {
    return of("update", feature);
  }

  /** Returns the creation or change of a feature. */
  public static FeatureWrite upsert(ObjectNode feature) {
    return of("upsert", feature);
  }

  /** Returns the deletion of a feature, whose last state can still be read. */
  public static FeatureWrite delete(String id) {
    return of("delete", id);
  }

  /** Returns the deletion of a feature, whose last state is in the history only. */
  public static FeatureWrite purge(String id) {
    return of("purge", id);
  }

  /** Returns the write of a feature that must be in a state. */
  public FeatureWrite expecting(String uuid) {
    return new FeatureWrite(op, feature, id, Optional.of(uuid));
  }

  private static FeatureWrite of(String op, ObjectNode feature) {
    return new FeatureWrite(op, Optional.of(feature), Optional.empty(), Optional.empty());
  }

  private static FeatureWrite of(String op, String id) {
    return new FeatureWrite(op, Optional.empty(), Optional.of(id), Optional.empty());
  }
}
