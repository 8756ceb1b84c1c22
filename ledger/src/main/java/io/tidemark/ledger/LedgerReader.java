// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.UnknownCommitException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reader of the rows of a ledger as of one moment: later commits aren't seen. It passes rows on in
 * the order of their commits, and never keeps them.
 */
public final class LedgerReader {

  private final Catalog catalog;
  private final PinnedHead pinnedHead;
  private final ManifestChain manifestChain;
  private final LatestRows rows;

  LedgerReader(Ledger.LedgerComponents ledgerComponents) {
    this.catalog = ledgerComponents.catalog();
    this.pinnedHead = ledgerComponents.heads().refresh();
    this.manifestChain = ledgerComponents.chain();
    this.rows = new LatestRows(ledgerComponents.objects(), ledgerComponents.chain());
  }

  /** Returns the newest commit as of that moment, or 0 if there is none. */
  public long commitId() {
    return pinnedHead.head().commitId();
  }

  /**
   * Returns the id of the last commit at or before a time, by the clocks of the writers, or 0 if
   * there is none.
   */
  public long commitAt(Instant time) {
    return pinnedHead.newest().map(newest -> manifestChain.newestAt(newest, time)).orElse(0L);
  }

  /**
   * Returns the existing types, without those that are still listed only because a drop is
   * incomplete.
   */
  public SortedSet<TypeId> types() {
    SortedSet<TypeId> types = new TreeSet<>(catalog.types(pinnedHead));
    types.removeIf(type -> schemas(type).isEmpty());
    return types;
  }

  /** Returns every version of a type's schema, the oldest first; none if there is no such type. */
  public List<SchemaVersion> schemas(TypeId type) {
    return catalog.history(type, pinnedHead);
  }

  /**
   * Returns the version of a type's schema as of a commit, or empty if the type of that time was
   * dropped since, or there is none.
   */
  public Optional<SchemaVersion> schemaAt(TypeId type, long commitId) {
    return catalog.versionAt(type, schemas(type), pinnedHead, commitId);
  }

  /** Returns the number of identities of a type. */
  public long count(TypeId type) {
    return rows.count(type, pinnedHead, commitId());
  }

  /**
   * Passes on the last version of each identity as of a commit.
   *
   * @throws UnknownCommitException when there is no such commit
   */
  public void asOf(TypeId type, long commitId, Consumer<Row> consumer) {
    require(commitId);
    rows.forEach(type, pinnedHead, commitId, consumer);
  }

  /**
   * Passes on every version that was written after a commit.
   *
   * @throws UnknownCommitException when there is no such commit
   */
  public void history(TypeId type, long sinceExclusive, Consumer<Row> consumer) {
    require(sinceExclusive);
    rows.history(type, pinnedHead, sinceExclusive, commitId(), consumer);
  }

  private void require(long commitId) {
    if (commitId < 0 || commitId > commitId()) {
      throw new UnknownCommitException(commitId, commitId());
    }
  }
}
