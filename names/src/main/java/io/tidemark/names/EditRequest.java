// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;
import java.util.Optional;

/**
 * Edit of a whole record, as data. {@link NameService#edit(Address, EditRequest)} carries it out;
 * {@link io.tidemark.names.view.EditJson} is its form over HTTP. Times are milliseconds since 1970.
 */
public sealed interface EditRequest {

  /** Reason why a record is retracted. */
  enum Purpose {
    /** The record is retracted, until it is restored. */
    TAKE_BACK,
    /** The record waits to be dropped with the last branch that was made from it. */
    DROP
  }

  /** Retracts a record. */
  record Retract(long atMs, Purpose purpose) implements EditRequest {}

  /** Restores a retracted record. */
  record Restore(long atMs) implements EditRequest {}

  /** Removes a record; refused when branches were made from it that still exist. */
  record Purge() implements EditRequest {}

  /** State that a record must have to be removed by a {@link Sweep}. */
  enum Sweepable {
    ANY,
    DROPPING
  }

  /**
   * Removes a record that has no branches, and keeps any other.
   *
   * @param listed the record as a listing of all branches had it
   * @param branches number of its branches in that listing
   */
  record Sweep(NameRecord listed, int branches, Sweepable which) implements EditRequest {}

  /** Removes a record that is as it was made, and keeps any other. */
  record Undo(NameRecord made) implements EditRequest {}

  /** Replaces the payload of a head that is as expected, at the same commit. */
  record ExtendHead(long atMs, ConcernValue expected, ConcernValue next) implements EditRequest {}

  /**
   * Sets the heads of a ledger, backwards too.
   *
   * @param index empty to keep an index that isn't of a newer commit
   */
  record Reset(long atMs, Ref commit, Optional<Ref> index) implements EditRequest {}

  /** Changes the set-up of a graph source. */
  record Configure(long atMs, SourceType type, Payload config, List<String> dependencies)
      implements EditRequest {

    public Configure {
      dependencies = List.copyOf(dependencies);
    }
  }

  /**
   * Writes down how many branches were made from a record.
   *
   * @param createdAtMs time at which a branch was just created, so that the record changes in any
   *     case; empty to write a number that is another
   */
  record CountBranches(Optional<Long> createdAtMs) implements EditRequest {}
}
