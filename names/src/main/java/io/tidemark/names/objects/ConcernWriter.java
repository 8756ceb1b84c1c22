// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.NameBackend.Outcome;
import java.util.Optional;

/**
 * Way in which a concern of a record is changed, by where it lies: {@link MainConcernWriter} in the
 * main document, {@link SideConcernWriter} in a document of its own.
 */
interface ConcernWriter {

  /**
   * Change that is under way.
   *
   * @param existence whether the record is there, looked up at most once
   * @param patience time given to edits of other writers
   * @param began moment at which it was asked for
   */
  record Attempt(
      ConcernChange change, ExistenceCheck existence, EditWaitBudget patience, long began) {
    Address address() {
      return existence.address();
    }

    Concern concern() {
      return change.concern();
    }
  }

  /**
   * Tries to make a change of what is known without reading, which takes one request if no writer
   * has changed it since; empty when that didn't work out, which says nothing yet. A change that
   * isn't allowed is refused without a request if what is known was there after the call began, as
   * it was when another thread has just written it.
   */
  Optional<Outcome> attemptFromCache(Attempt attempt);

  /** Tries to make a change of what is there now; empty when another writer was faster. */
  Optional<Outcome> attempt(Attempt attempt);
}
