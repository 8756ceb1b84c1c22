// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.ListedLedger;
import io.tidemark.ledger.query.sql.SqlLimits;
import io.tidemark.names.Address;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import java.util.Optional;
import java.util.stream.Stream;

/** Ledgers of a nameservice in this process. */
public final class EmbeddedLedgers implements LedgerCatalog {

  private final LedgerCache cache;
  private final SqlLimits limits;

  /**
   * Ledgers that this cache opens, which isn't closed with them.
   *
   * @param limits limits of SQL statements, unless a request asks for others
   */
  public EmbeddedLedgers(LedgerCache cache, SqlLimits limits) {
    this.cache = cache;
    this.limits = limits;
  }

  /** Returns the service of a ledger. */
  public LedgerService ledger(String address) {
    return new EmbeddedLedger(
        new LedgerUse(cache, Address.parse(address), limits, new Cancellation()));
  }

  @Override
  public Stream<ListedLedger> list(String prefix) {
    return cache
        .names()
        .list(RecordFilter.all().ofKind(Kind.LEDGER).startingWith(prefix))
        .filter(record -> !record.meta().retracted())
        .map(EmbeddedLedgers::listed);
  }

  private static ListedLedger listed(NameRecord record) {
    long head = record.commit().t();
    return new ListedLedger(
        record.address().toString(), head == 0 ? Optional.empty() : Optional.of(head));
  }
}
