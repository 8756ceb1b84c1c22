// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Change of a row by a commit, with its fields before and after.
 *
 * @param operation insert or update_version
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record RowChange(
    String operation,
    String typeKind,
    String typeName,
    Optional<String> key,
    Optional<String> leftKey,
    Optional<String> rightKey,
    Optional<String> instanceKey,
    @JsonInclude Optional<ObjectNode> before,
    @JsonInclude Optional<Long> beforeCommitId,
    JsonNode after) {}
