// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ObjectBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What a ledger does on every store, by topic in the interfaces it is made of. A name that begins
 * with {@code b3_} is that case of the specification, one with {@code f14_} is a flaw that we don't
 * share.
 */
abstract class LedgerContract
    implements InitContract,
        CommitContract,
        ChangeDetectionContract,
        IndexContract,
        SchemaContract,
        DropContract,
        CatalogFollowUpContract,
        BadInputContract,
        BadObjectsContract,
        OrphanCollectorContract,
        CompactionContract,
        ObsoleteSnapshotsContract,
        PinnedReadContract,
        ForeignLedgerContract,
        FilterContract,
        TemporalContract,
        AggregateContract,
        RelationEndsContract,
        QueryFilesContract,
        BranchContract,
        MergeContract,
        OutboxContract,
        VerifyContract {

  private LedgerFixture fixture;

  /** A store of this test's own, which is empty. */
  abstract ObjectBackend open();

  @BeforeEach
  final void openStore() {
    fixture = new LedgerFixture(open());
  }

  @AfterEach
  final void closeStore() {
    fixture.close();
  }

  @Override
  public final LedgerFixture fixture() {
    return fixture;
  }
}
