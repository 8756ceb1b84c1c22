// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/**
 * Stored version of an entity or a relation.
 *
 * @param commitId the commit that wrote it
 * @param schemaVersionId the version of its type that it was written under; 0 when the writer
 *     didn't record it
 * @param fieldsJson the payload as canonical JSON
 */
public record Row(long commitId, Identity identity, long schemaVersionId, String fieldsJson) {}
