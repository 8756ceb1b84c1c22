// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a collection. Those that aren't given have their standard value in a new collection,
 * and stay as they are in a change.
 *
 * @param historyEnabled whether states that are replaced are kept
 * @param partitioned whether there are sixteen tables rather than one; can't be changed
 * @param pointsOnly whether other geometries are refused; can't be changed
 * @param autoPurge whether deleted features are in the history only
 * @param optimalPartitioning whether maintenance counts features by place
 * @param maxAge number of days for which the history is kept at least
 * @param idPrefix text that is removed from the beginning of ids, JSON's null to remove none; null
 *     if it isn't given
 * @param author author of features that nobody in particular creates, JSON's null for the
 *     application; null if it isn't given
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record CollectionSettings(
    Optional<Boolean> historyEnabled,
    Optional<Boolean> partitioned,
    Optional<Boolean> pointsOnly,
    Optional<Boolean> autoPurge,
    Optional<Boolean> optimalPartitioning,
    OptionalLong maxAge,
    @Nullable JsonNode idPrefix,
    @Nullable JsonNode author)
    implements CollectionSettingsBuilder.With {

  /** Returns no settings: sixteen tables, and history for a hundred years. */
  public static CollectionSettings none() {
    return new CollectionSettings(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        null,
        null);
  }

  /** Returns the settings with a prefix of ids; an empty one removes it. */
  public CollectionSettings idPrefix(String prefix) {
    return withIdPrefix(textOrNull(prefix));
  }

  /** Returns the settings with a standard author; an empty one removes it. */
  public CollectionSettings author(String name) {
    return withAuthor(textOrNull(name));
  }

  private static JsonNode textOrNull(String text) {
    return text.isEmpty() ? JsonNodeFactory.instance.nullNode() : TextNode.valueOf(text);
  }
}
