// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.Tidemark;
import io.tidemark.testkit.ledger.LedgerWritingContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers of a directory are changed as the contract says. */
final class DirectoryLedgerWritingTest extends LedgerWritingContract {

  @TempDir private static Path data;

  private static Tidemark tidemark;

  @BeforeAll
  static void open() {
    tidemark = Tidemark.open(data.toString());
  }

  @AfterAll
  static void close() {
    tidemark.close();
  }

  @Override
  protected Tidemark tidemark() {
    return tidemark;
  }
}
