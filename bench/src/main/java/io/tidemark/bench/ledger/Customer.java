// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import java.util.ArrayList;
import java.util.List;

/** What is written: six fields, as many kinds of values as are common. */
@Entity
public record Customer(
    @Key String id, String name, long visits, double balance, boolean active, String city) {

  private static final List<String> CITIES =
      List.of("Lisbon", "Porto", "Faro", "Braga", "Coimbra", "Aveiro", "Setubal");

  /** The nth customer, in one of its states. */
  public static Customer of(long number, long state) {
    return new Customer(
        "customer-" + number,
        "Name of customer " + number,
        number * 31 + state,
        number / 4.0,
        number % 3 == 0,
        CITIES.get((int) (number % CITIES.size())));
  }

  /** So many customers, from the nth on. */
  public static List<Customer> batch(long first, int count, long state) {
    List<Customer> batch = new ArrayList<>(count);
    for (long number = first; number < first + count; number++) {
      batch.add(of(number, state));
    }
    return batch;
  }
}
