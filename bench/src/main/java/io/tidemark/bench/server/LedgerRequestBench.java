// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static io.tidemark.ledger.query.model.Fields.field;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.names.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commits and queries. */
final class LedgerRequestBench {

  private static final int MOST_LEDGERS = 8;

  /** A row. */
  @Entity
  public record Customer(@Key String id, long age) {}

  private final ServerBenchContext serverBenchContext;

  LedgerRequestBench(ServerBenchContext serverBenchContext) {
    this.serverBenchContext = serverBenchContext;
  }

  /** Commits to as many ledgers as there are connections, but few; queries all of the first. */
  void run() throws Exception {
    PairedBenchmark pairedBenchmark =
        new PairedBenchmark(
            serverBenchContext.scale().rounds(),
            Math.max(
                2 * serverBenchContext.crew().threads(), serverBenchContext.scale().writes() / 16));
    List<String> theirs = new ArrayList<>();
    List<NamedLedgers.OpenLedger> own = new ArrayList<>();
    try (HttpConnections ours =
        new HttpConnections(serverBenchContext.server(), serverBenchContext.crew())) {
      for (int i = 0; i < Math.min(serverBenchContext.crew().threads(), MOST_LEDGERS); i++) {
        theirs.add("/v1/ledgers/" + ledger().name());
        own.add(
            new NamedLedgers(serverBenchContext.names()).open(ledger(), LedgerOptions.standard()));
      }
      serverBenchContext
          .report()
          .section(serverBenchContext.title("ledgers"), ServerBenchContext.CALL);
      serverBenchContext
          .report()
          .compareRates(
              "commits of one row, to " + own.size(),
              pairedBenchmark.run(
                  ours.each(
                      i ->
                          HttpConnection.send(
                              "POST", theirs.get(i % own.size()) + "/commits", commit())),
                  serverBenchContext.crew().each(i -> commit(own.get(i % own.size()).ledger()))),
              Optional.empty());
      serverBenchContext.reportTimes(ours);
      byte[] query =
          HttpConnection.send(
              "POST", theirs.get(0) + "/query", "{\"type\":\"Customer\",\"where\":[\"age > 5\"]}");
      serverBenchContext
          .report()
          .compareRates(
              "queries of one row",
              pairedBenchmark.run(
                  ours.each(i -> query),
                  serverBenchContext.crew().each(i -> query(own.get(0).ledger()))),
              Optional.empty());
      serverBenchContext.reportTimes(ours);
    } finally {
      own.forEach(NamedLedgers.OpenLedger::close);
    }
  }

  private static Object query(Ledger ledger) {
    return ledger.query().entities(Customer.class).where(field("age").gt(5)).list();
  }

  private String commit() {
    return "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":%d}]}"
        .formatted(serverBenchContext.counter().incrementAndGet());
  }

  private Object commit(Ledger ledger) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      return session
          .ensure(new Customer("c1", serverBenchContext.counter().incrementAndGet()))
          .commit(Map.of());
    }
  }

  private Address ledger() {
    Address address = Address.parse("ledger" + serverBenchContext.counter().incrementAndGet());
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(serverBenchContext.names(), address, Optional.empty())) {
      init.init();
    }
    try (NamedLedgers.OpenLedger openLedger =
        new NamedLedgers(serverBenchContext.names()).open(address, LedgerOptions.standard())) {
      Object unused = commit(openLedger.ledger());
    }
    return address;
  }
}
