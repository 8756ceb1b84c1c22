// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.Left;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Relation;
import io.tidemark.ledger.schema.Right;
import java.util.List;
import java.util.Optional;

/** The data set D1 of the specification, on which the cases of queries are. */
final class Shop {

  private Shop() {}

  record Address(String city) {}

  record Marks(long s) {}

  record Profile(Optional<Address> address, Optional<Marks> m) {}

  record Event(String kind, long ts) {}

  @Entity
  record Cust(
      @Key String id,
      String name,
      Optional<Long> age,
      Optional<Double> score,
      Optional<String> email,
      String tier,
      boolean active,
      Optional<Profile> profile,
      Optional<List<Event>> events) {}

  @Entity
  record Prod(@Key String id, String name, double price) {}

  @Relation(left = Cust.class, right = Prod.class)
  record Sub(@Left String cust, @Right String prod, long seats) {}

  static RecordType<?>[] types() {
    return new RecordType<?>[] {
      RecordType.of(Cust.class), RecordType.of(Prod.class), RecordType.of(Sub.class)
    };
  }

  /** All of it in commit 1. */
  static void commit(Ledger ledger) {
    try (Session session = ledger.session(types())) {
      session.ensure(customers());
      session.ensure(List.of(new Prod("p1", "W", 9.99), new Prod("p2", "G", 49.5)));
      session.ensure(
          List.of(
              new Sub("c1", "p1", 5),
              new Sub("c1", "p2", 10),
              new Sub("c2", "p1", 2),
              new Sub("zz", "p2", 7)));
      session.commit();
    }
  }

  private static List<Cust> customers() {
    return List.of(
        new Cust(
            "c1",
            "Alice",
            Optional.of(30L),
            Optional.of(9.5),
            Optional.of("alice@t.com"),
            "Gold",
            true,
            profile("SF", 95),
            Optional.of(List.of(new Event("click", 1), new Event("view", 2)))),
        new Cust(
            "c2",
            "bob",
            Optional.of(9L),
            Optional.empty(),
            Optional.empty(),
            "Standard",
            false,
            profile("LA", 8),
            Optional.of(List.of(new Event("view", 3)))),
        new Cust(
            "c3",
            "Carol_%",
            Optional.empty(),
            Optional.of(10.0),
            Optional.of("c@x.org"),
            "Gold",
            true,
            Optional.empty(),
            Optional.of(List.of())),
        new Cust(
            "c4",
            "alan",
            Optional.of(100L),
            Optional.of(2.25),
            Optional.of("10"),
            "Silver",
            false,
            Optional.of(new Profile(Optional.empty(), Optional.empty())),
            Optional.empty()));
  }

  private static Optional<Profile> profile(String city, long s) {
    return Optional.of(new Profile(Optional.of(new Address(city)), Optional.of(new Marks(s))));
  }
}
