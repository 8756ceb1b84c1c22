// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import java.util.function.Consumer;

/** Source of the records of an import. */
@FunctionalInterface
public interface ImportInput {

  /** Passes every record to the consumer. */
  void forEach(Consumer<TextRecord> records);
}
