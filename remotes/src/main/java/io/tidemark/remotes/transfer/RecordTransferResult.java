// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import java.util.Optional;

/**
 * Result of a transfer.
 *
 * @param outcome how it ended
 * @param remote the record on the remote, with both heads as the transfer compared or wrote them;
 *     empty when it did neither. Later changes by other writers aren't in it
 */
public record RecordTransferResult(TransferOutcome outcome, Optional<NameRecord> remote) {

  static RecordTransferResult ofOutcome(TransferOutcome transferOutcome) {
    return new RecordTransferResult(transferOutcome, Optional.empty());
  }

  /** Returns a record as it is once its heads have been moved. */
  static NameRecord moved(NameRecord record, ConcernValue head, ConcernValue index) {
    return record.withHead(head).withIndex(index);
  }
}
