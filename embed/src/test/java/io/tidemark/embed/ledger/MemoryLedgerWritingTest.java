// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.testkit.ledger.LedgerWritingContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

/** Ledgers in memory are changed as the contract says. */
final class MemoryLedgerWritingTest extends LedgerWritingContract {

  private static final Tidemark TIDEMARK =
      Tidemark.open(OpenOptions.at("memory:").withObjects(Optional.of("memory:")));

  @AfterAll
  static void close() {
    TIDEMARK.close();
  }

  @Override
  protected Tidemark tidemark() {
    return TIDEMARK;
  }
}
