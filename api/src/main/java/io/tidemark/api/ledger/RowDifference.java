// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Difference of a row between two states, with its fields in both.
 *
 * @param operation inserted, changed or removed
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record RowDifference(
    String operation,
    String typeKind,
    String typeName,
    Optional<String> key,
    Optional<String> leftKey,
    Optional<String> rightKey,
    Optional<String> instanceKey,
    @JsonInclude Optional<ObjectNode> before,
    @JsonInclude Optional<Long> beforeCommitId,
    @JsonInclude Optional<ObjectNode> after,
    @JsonInclude Optional<Long> afterCommitId) {}
