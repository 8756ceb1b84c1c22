// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Version of an entity or a relation.
 *
 * @param typeKind entity or relation
 * @param typeName name of the type
 * @param key key of an entity
 * @param leftKey key of a relation's left end
 * @param rightKey key of a relation's right end
 * @param instanceKey key among relations of the same ends, if its type has one
 * @param commitId commit that wrote it
 * @param fields the payload
 * @param left fields of the entity at the left end, if asked for
 * @param right fields of the entity at the right end, if asked for
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record LedgerRow(
    String typeKind,
    String typeName,
    Optional<String> key,
    Optional<String> leftKey,
    Optional<String> rightKey,
    Optional<String> instanceKey,
    long commitId,
    ObjectNode fields,
    Optional<ObjectNode> left,
    Optional<ObjectNode> right) {}
