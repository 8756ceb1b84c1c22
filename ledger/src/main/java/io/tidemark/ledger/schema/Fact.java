// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/**
 * What is asserted of one entity or relation: that these are all of its fields.
 *
 * <p>Made by {@link io.tidemark.ledger.schema.ValueCheck}, so that its fields fit its type and are
 * in the one form that is stored.
 *
 * @param fieldsJson the payload as canonical JSON
 */
public record Fact(TypeId type, Identity identity, String fieldsJson) {}
