// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.OpenOptions;

/** Runs the contract of reading ledgers on a directory. */
final class DirectoryLedgerReadingTest extends EmbeddedReadingContract {

  @Override
  OpenOptions options() {
    return OpenOptions.at(directory.resolve("data").toString());
  }
}
