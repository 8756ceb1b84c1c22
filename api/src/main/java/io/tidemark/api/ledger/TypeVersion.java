// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Version of a type's schema.
 *
 * @param typeKind entity or relation
 * @param typeName name of the type
 * @param schemaVersionId number of the version
 * @param schemaHash hash of the stored form
 * @param createdAt time of the version
 * @param runtimeId program that declared it
 * @param reason reason of the version
 * @param schema the type as people declare it
 * @param schemaJson the type as it is stored
 */
public record TypeVersion(
    String typeKind,
    String typeName,
    long schemaVersionId,
    String schemaHash,
    String createdAt,
    String runtimeId,
    String reason,
    JsonNode schema,
    JsonNode schemaJson) {}
