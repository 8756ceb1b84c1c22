// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.Ref;
import java.util.Optional;

/**
 * Direction of a transfer: which end is here. A transfer is the same either way; only its outcome
 * is told from here.
 */
public enum Direction {
  /** From here to the remote. */
  PUSH,
  /** From the remote to here. */
  PULL;

  TransferOutcome upToDate(Ref from, Ref to) {
    return new TransferOutcome.UpToDate(local(from, to), remote(from, to));
  }

  TransferOutcome diverged(Ref from, Ref to, Optional<Ref> common) {
    return new TransferOutcome.Diverged(local(from, to), remote(from, to), common);
  }

  TransferOutcome rejected(Ref from, Ref to) {
    return new TransferOutcome.Rejected(local(from, to), remote(from, to));
  }

  private Ref local(Ref from, Ref to) {
    return this == PUSH ? from : to;
  }

  private Ref remote(Ref from, Ref to) {
    return this == PUSH ? to : from;
  }
}
