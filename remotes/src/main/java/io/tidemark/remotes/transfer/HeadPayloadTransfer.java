// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Transfer of the members of a head's payload to the head of the same commit at the other end. They
 * are missing there after a commit, which publishes an id and a {@code t} alone, and after a
 * transfer by an earlier version.
 */
final class HeadPayloadTransfer {

  private HeadPayloadTransfer() {}

  /**
   * Returns whether both are the head of one {@code t}, and the first has all members of the
   * second.
   */
  static boolean include(ConcernValue head, ConcernValue other) {
    if (head.watermark() != other.watermark()
        || head.payload().isEmpty()
        || other.payload().isEmpty()) {
      return false;
    }
    ObjectNode all = head.payload().get().toTree();
    ObjectNode common = other.payload().get().toTree();
    List<String> names = new ArrayList<>();
    common.properties().stream().map(Map.Entry::getKey).forEach(names::add);
    return Payload.of(all.retain(names)).equals(other.payload().get());
  }

  /** Adds the members that only the source has, if the target is at the same commit. */
  static void transfer(NameRecord source, TransferEndpoint to) {
    Optional<NameRecord> target = to.record();
    ConcernValue head = source.head();
    if (target
        .map(NameRecord::head)
        .filter(there -> !there.equals(head) && include(head, there))
        .isPresent()) {
      boolean unused = tryAdd(source, target.get(), to);
    }
  }

  /** Replaces the head of the target by that of the source; false when it has changed. */
  static boolean tryAdd(NameRecord source, NameRecord target, TransferEndpoint to) {
    return to.names().ledgers().extendHead(to.address(), target.head(), source.head()).updated();
  }
}
