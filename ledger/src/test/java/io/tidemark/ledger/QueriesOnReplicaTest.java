// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.objects.MemoryBackend;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The cases of queries, answered by a replica; elsewhere they are answered by files. */
class QueriesOnReplicaTest
    implements FilterContract, TemporalContract, AggregateContract, RelationEndsContract {

  @TempDir private Path cache;

  private LedgerFixture fixture;

  @BeforeEach
  void openStore() {
    fixture =
        new LedgerFixture(
            new MemoryBackend(),
            LedgerFixture.QUERIES.withCache(cache).withReplica(Replication.KEPT));
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
