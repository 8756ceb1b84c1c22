// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * Repair of the indices of a ledger and of its name.
 *
 * @param deep whether to compare with every commit, and to look at the catalog
 * @param apply whether to repair; otherwise the result says what would be done
 */
public record IndexRepairRequest(boolean deep, boolean apply) {}
