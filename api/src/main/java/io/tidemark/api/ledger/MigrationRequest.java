// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Change of types and all their rows, in one commit. A field is named {@code TYPE.FIELD}. Of each
 * row fields are renamed first, then removed, then set.
 *
 * @param schema the types as they are to be, one or a list
 * @param rename new names by field
 * @param remove fields that go
 * @param set values that fields get in every row
 * @param apply whether to migrate; otherwise the result is a plan with its token
 * @param token token of the plan to carry out
 * @param force whether to migrate without a plan
 * @param metadata kept with the commit
 */
@RecordBuilder
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record MigrationRequest(
    JsonNode schema,
    Map<String, String> rename,
    List<String> remove,
    Map<String, JsonNode> set,
    boolean apply,
    Optional<String> token,
    boolean force,
    Map<String, String> metadata)
    implements MigrationRequestBuilder.With {

  public MigrationRequest {
    rename = OrderedMaps.copyOf(rename);
    remove = List.copyOf(remove);
    set = OrderedMaps.copyOf(set);
    metadata = Map.copyOf(metadata);
  }

  /** Returns a request for the plan of a migration without rules. */
  public static MigrationRequest of(JsonNode schema) {
    return new MigrationRequest(
        schema, Map.of(), List.of(), Map.of(), false, Optional.empty(), false, Map.of());
  }
}
