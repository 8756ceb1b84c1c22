// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * A ledger that was made.
 *
 * @param storageUri location of its objects
 */
public record InitResult(String ledger, String storageUri, boolean initialized) {}
