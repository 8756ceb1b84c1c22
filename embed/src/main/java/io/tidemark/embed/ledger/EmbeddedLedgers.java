// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ledger.AdoptedLedger;
import io.tidemark.api.ledger.InitPlan;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.ListedLedger;
import io.tidemark.api.ledger.MadeLedger;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.internal.named.LedgerAdoption;
import io.tidemark.ledger.internal.named.NamedInit;
import io.tidemark.ledger.internal.sql.SqlLimits;
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

  @Override
  public InitPlan plan(InitRequest request) {
    Address address = Address.parse(request.ledger());
    try (NamedInit init = new NamedInit(cache.ledgers(), address, request.objects())) {
      LedgerInit.Plan plan = init.plan();
      return new InitPlan(
          address.toString(),
          plan.location(),
          plan.alreadyInitialized(),
          plan.forceToken(),
          plan.engineVersion(),
          plan.plannedObjects());
    }
  }

  @Override
  public MadeLedger init(InitRequest request) {
    Address address = Address.parse(request.ledger());
    try (NamedInit init = new NamedInit(cache.ledgers(), address, request.objects());
        LedgerCache.Registration unused = cache.onStop(init::stop)) {
      if (request.token().isPresent()) {
        cache.dismiss(address);
        init.force(request.token().get());
        cache.dismiss(address);
      } else {
        init.init();
      }
      return new MadeLedger(address.toString(), init.plan().location(), true);
    }
  }

  @Override
  public AdoptedLedger adopt(String ledger, Optional<String> objects) {
    LedgerAdoption.Adopted adopted =
        new LedgerAdoption(cache.ledgers(), cache.options()).adopt(Address.parse(ledger), objects);
    return new AdoptedLedger(
        adopted.address().toString(),
        adopted.location(),
        true,
        adopted.head() == 0 ? Optional.empty() : Optional.of(adopted.head()),
        adopted.branches().stream().map(Address::toString).toList());
  }
}
