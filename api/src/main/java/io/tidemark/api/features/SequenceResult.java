// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

/**
 * Result of numbering transactions.
 *
 * @param numbered number of transactions that got a sequence number
 * @param last last sequence number of all, 0 for none
 */
public record SequenceResult(long numbered, long last) {}
