// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import java.util.List;

/** Something that takes rows in commits, each durable and seen by everybody when it returns. */
public interface Appender extends AutoCloseable {

  void commit(List<Customer> rows);

  /** Waits for what follows commits in the background, which is part of their price. */
  void settle();

  @Override
  void close();
}
