// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.ledger.Customer;
import java.util.ArrayList;
import java.util.List;

/**
 * What is in the ledger: customers in commits of so many rows, first all of them and then from the
 * first on again, each time in another state.
 *
 * @param customers how many there are
 * @param shown how many rows are asked for at most where rows are
 */
record QueryDataset(long customers, int commits, int rows, int shown) {

  /** The rows of a commit, counted from 0. */
  List<Customer> batch(int commit) {
    List<Customer> batch = new ArrayList<>(rows);
    for (long i = 0; i < rows; i++) {
      batch.add(Customer.of(((long) commit * rows + i) % customers, commit));
    }
    return batch;
  }

  /** The commit that is half way, as ledgers number them. */
  long half() {
    return commits / 2;
  }

  static String key(long customer) {
    return Customer.of(customer, 0).id();
  }

  /** Customers one after the other, far from each other. */
  long customer(long n) {
    return n * 7_919 % customers;
  }
}
