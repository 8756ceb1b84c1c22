// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ledger.AdoptResult;
import io.tidemark.api.ledger.InitPlan;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.InitResult;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerEntry;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.internal.named.LedgerAdoption;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
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
        new EmbeddedLedgerContext(cache, Address.parse(address), limits, new Cancellation()));
  }

  @Override
  public Stream<LedgerEntry> list(String prefix) {
    return cache
        .names()
        .list(RecordFilter.all().ofKind(RecordKind.LEDGER).startingWith(prefix))
        .filter(record -> !record.meta().retracted())
        .map(EmbeddedLedgers::listed);
  }

  private static LedgerEntry listed(NameRecord record) {
    long head = record.commit().t();
    return new LedgerEntry(
        record.address().toString(), head == 0 ? Optional.empty() : Optional.of(head));
  }

  @Override
  public InitPlan plan(InitRequest request) {
    Address address = Address.parse(request.ledger());
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(cache.ledgers(), address, request.objects())) {
      LedgerInitializer.InitializationPlan initializationPlan = init.plan();
      return new InitPlan(
          address.toString(),
          initializationPlan.location(),
          initializationPlan.alreadyInitialized(),
          initializationPlan.forceToken(),
          initializationPlan.engineVersion(),
          initializationPlan.plannedObjects());
    }
  }

  @Override
  public InitResult init(InitRequest request) {
    Address address = Address.parse(request.ledger());
    try (NamedLedgerInitializer init =
            new NamedLedgerInitializer(cache.ledgers(), address, request.objects());
        LedgerCache.Registration unused = cache.onStop(init::stop)) {
      if (request.token().isPresent()) {
        cache.evict(address);
        init.reinitialize(request.token().get());
        cache.evict(address);
      } else {
        init.init();
      }
      return new InitResult(address.toString(), init.plan().location(), true);
    }
  }

  @Override
  public AdoptResult adopt(String ledger, Optional<String> objects) {
    LedgerAdoption.AdoptionResult adoptionResult =
        new LedgerAdoption(cache.ledgers(), cache.options()).adopt(Address.parse(ledger), objects);
    return new AdoptResult(
        adoptionResult.address().toString(),
        adoptionResult.location(),
        true,
        adoptionResult.head() == 0 ? Optional.empty() : Optional.of(adoptionResult.head()),
        adoptionResult.branches().stream().map(Address::toString).toList());
  }
}
