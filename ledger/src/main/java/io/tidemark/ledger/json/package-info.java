// SPDX-License-Identifier: Apache-2.0
/**
 * JSON as the ledger stores, hashes and compares it.
 *
 * <p>Start with {@link io.tidemark.ledger.json.CanonicalJson}, the form that is stored and hashed,
 * and {@link io.tidemark.ledger.json.ValueForm}, the form by which two payloads are told apart.
 */
@NullMarked
package io.tidemark.ledger.json;

import org.jspecify.annotations.NullMarked;
