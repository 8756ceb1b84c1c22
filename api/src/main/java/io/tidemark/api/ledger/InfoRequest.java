// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * Extent of a ledger's summary.
 *
 * @param stats whether to count the rows of each type, which reads them
 * @param schema whether to add the schema of each type
 */
public record InfoRequest(boolean stats, boolean schema) {

  /** Returns the request of a summary that reads no rows. */
  public static InfoRequest brief() {
    return new InfoRequest(false, false);
  }
}
