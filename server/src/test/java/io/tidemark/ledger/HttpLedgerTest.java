// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.server.objects.OverHttp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What a ledger does on every store, on the objects of a server. Of the suites that {@code
 * LedgerContract} is made of those are left out that only ask: the requests are the same.
 */
class HttpLedgerTest
    implements InitContract,
        CommitContract,
        DeltaContract,
        IndexContract,
        SchemaContract,
        DropContract,
        FollowingContract,
        BadInputContract,
        BadObjectsContract,
        LeftoversContract,
        CompactionContract,
        SupersededContract,
        ForeignContract,
        BranchContract,
        MergeContract,
        OutboxContract {

  private LedgerFixture fixture;

  @BeforeEach
  void openStore() {
    fixture = new LedgerFixture(OverHttp.open());
  }

  @AfterEach
  void closeStore() {
    fixture.close();
  }

  @Override
  public LedgerFixture fixture() {
    return fixture;
  }
}
