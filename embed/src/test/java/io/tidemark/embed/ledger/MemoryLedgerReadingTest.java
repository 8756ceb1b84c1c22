// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.OpenOptions;
import java.util.Optional;

/** Runs the contract of reading ledgers in memory. */
final class MemoryLedgerReadingTest extends EmbeddedReadingContract {

  @Override
  OpenOptions options() {
    return OpenOptions.at("memory:").withObjects(Optional.of("memory:"));
  }
}
