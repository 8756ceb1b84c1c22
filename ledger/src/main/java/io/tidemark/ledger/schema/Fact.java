// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/**
 * Assertion about one entity or relation: these are all of its fields.
 *
 * <p>Created by {@link io.tidemark.ledger.schema.ValueCheck}, so that its fields fit its type and
 * are in canonical form.
 *
 * @param fieldsJson the payload as canonical JSON
 */
public record Fact(TypeId type, Identity identity, String fieldsJson) {}
