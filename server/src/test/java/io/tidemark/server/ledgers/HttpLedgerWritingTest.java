// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.Tidemark;
import io.tidemark.testkit.ledger.LedgerWritingContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers of a server are changed as the contract says. */
final class HttpLedgerWritingTest extends LedgerWritingContract {

  @TempDir private static Path directory;

  private static LedgerTestServer house;
  private static Tidemark tidemark;

  @BeforeAll
  static void start() {
    house = new LedgerTestServer(directory);
    tidemark = Tidemark.open(house.server.uri("").toString());
  }

  @AfterAll
  static void stop() {
    tidemark.close();
    house.close();
  }

  @Override
  protected Tidemark tidemark() {
    return tidemark;
  }
}
