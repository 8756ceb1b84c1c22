// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/** Decision about a whole record, made by a backend with the record as it is. */
@FunctionalInterface
public interface RecordEdit {

  /**
   * Decides what becomes of a record. An implementation may read records but not change any. A
   * backend asks again when another writer was faster.
   */
  EditDecision decide(NameRecord seen);

  /**
   * Returns the decision as data, by which a server makes it at its own store; empty for a decision
   * that only this process can make.
   */
  default Optional<EditRequest> request() {
    return Optional.empty();
  }
}
