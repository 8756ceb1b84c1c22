// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a stretch of work asked of a backend.
 *
 * @param byOperation how many requests of each kind, without those that didn't occur
 * @param roundTrips how many of them began while no other was under way: what the work costs in
 *     waiting when every request takes equally long
 * @param bytesWritten the lengths of all bodies sent
 * @param bytesRead the lengths of all bodies found
 */
public record RequestCounts(
    Map<Operation, Long> byOperation, long roundTrips, long bytesWritten, long bytesRead) {

  public RequestCounts {
    byOperation = Map.copyOf(byOperation);
  }

  /** How many requests of one kind there were. */
  public long of(Operation operation) {
    return byOperation.getOrDefault(operation, 0L);
  }

  /** How many requests there were. */
  public long total() {
    return byOperation.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Such as {@code 1 HEAD, 2 PUT; 3 round trips; 12 bytes written, 0 read}. */
  @Override
  public String toString() {
    String requests =
        Stream.of(Operation.values())
            .filter(byOperation::containsKey)
            .map(operation -> of(operation) + " " + operation)
            .collect(Collectors.joining(", "));
    return (requests.isEmpty() ? "no requests" : requests)
        + "; "
        + roundTrips
        + " round trips; "
        + bytesWritten
        + " bytes written, "
        + bytesRead
        + " read";
  }
}
