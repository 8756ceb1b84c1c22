// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * Verification of the indices of a ledger and of its name.
 *
 * @param deep whether to compare with every commit, and to look at the catalog
 */
public record IndexVerifyRequest(boolean deep) {}
