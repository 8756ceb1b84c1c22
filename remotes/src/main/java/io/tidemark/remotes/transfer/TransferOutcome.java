// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.Address;
import io.tidemark.names.Ref;
import java.util.Optional;

/**
 * Outcome of a push or a pull. <i>Local</i> is the side that asked, <i>remote</i> the other,
 * whichever way things were to go.
 */
public sealed interface TransferOutcome {

  /** The side that was to move has it all already, and perhaps more. */
  record UpToDate(Ref local, Ref remote) implements TransferOutcome {}

  /**
   * The side that was to move has moved.
   *
   * @param from the head before; unborn when it had no commit
   * @param commits how many it had been missing
   * @param bytes how many were sent; what an earlier try had sent is not among them
   */
  record FastForwarded(Ref from, Ref to, long commits, long bytes) implements TransferOutcome {}

  /** The side that was to move had none, and has it now. */
  record Created(Ref to, long commits, long bytes) implements TransferOutcome {}

  /**
   * Each side has something that the other hasn't; nothing was moved.
   *
   * @param common the newest commit that both have; empty when there is none, or when it is
   *     unknown, since there are only names
   */
  record Diverged(Ref local, Ref remote, Optional<Ref> common) implements TransferOutcome {}

  /**
   * The side that was to move isn't where it is known to have been, or other writers kept moving
   * it; nothing was moved. Fetch, look and try again.
   */
  record Rejected(Ref local, Ref remote) implements TransferOutcome {}

  /** The address has no upstream, and the request names no remote. */
  record NoUpstream(Address local) implements TransferOutcome {}

  /**
   * There is nothing to be moved, or nothing that it could become a branch of.
   *
   * @param location the location where it was looked for
   */
  record NotFound(String location, Address address) implements TransferOutcome {}
}
