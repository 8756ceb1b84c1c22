// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static io.tidemark.ledger.query.model.Fields.field;

import io.tidemark.bench.measure.Duel;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.named.NamedInit;
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
final class LedgerRequests {

  private static final int MOST_LEDGERS = 8;

  /** A row. */
  @Entity
  public record Customer(@Key String id, long age) {}

  private final Scene scene;

  LedgerRequests(Scene scene) {
    this.scene = scene;
  }

  /** Commits to as many ledgers as there are connections, but few; queries all of the first. */
  void run() throws Exception {
    Duel duel =
        new Duel(
            scene.scale().rounds(),
            Math.max(2 * scene.crew().threads(), scene.scale().writes() / 16));
    List<String> theirs = new ArrayList<>();
    List<NamedLedgers.Opened> own = new ArrayList<>();
    try (Wires ours = new Wires(scene.server(), scene.crew())) {
      for (int i = 0; i < Math.min(scene.crew().threads(), MOST_LEDGERS); i++) {
        theirs.add("/v1/ledgers/" + ledger().name());
        own.add(new NamedLedgers(scene.names()).open(ledger(), LedgerOptions.standard()));
      }
      scene.report().section(scene.title("ledgers"), Scene.CALL);
      scene
          .report()
          .rated(
              "commits of one row, to " + own.size(),
              duel.fight(
                  ours.each(
                      i -> Wire.send("POST", theirs.get(i % own.size()) + "/commits", commit())),
                  scene.crew().each(i -> commit(own.get(i % own.size()).ledger()))),
              Optional.empty());
      scene.tell(ours);
      byte[] query =
          Wire.send(
              "POST", theirs.get(0) + "/query", "{\"type\":\"Customer\",\"where\":[\"age > 5\"]}");
      scene
          .report()
          .rated(
              "queries of one row",
              duel.fight(ours.each(i -> query), scene.crew().each(i -> query(own.get(0).ledger()))),
              Optional.empty());
      scene.tell(ours);
    } finally {
      own.forEach(NamedLedgers.Opened::close);
    }
  }

  private static Object query(Ledger ledger) {
    return ledger.query().entities(Customer.class).where(field("age").gt(5)).list();
  }

  private String commit() {
    return "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":%d}]}"
        .formatted(scene.counter().incrementAndGet());
  }

  private Object commit(Ledger ledger) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      return session.ensure(new Customer("c1", scene.counter().incrementAndGet())).commit(Map.of());
    }
  }

  private Address ledger() {
    Address address = Address.parse("ledger" + scene.counter().incrementAndGet());
    try (NamedInit init = new NamedInit(scene.names(), address, Optional.empty())) {
      init.init();
    }
    try (NamedLedgers.Opened opened =
        new NamedLedgers(scene.names()).open(address, LedgerOptions.standard())) {
      Object unused = commit(opened.ledger());
    }
    return address;
  }
}
