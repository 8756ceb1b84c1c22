// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import io.tidemark.names.Ref;
import java.util.Optional;

/**
 * Outcome of a push, a pull or a clone. <i>Local</i> is this side, <i>remote</i> and <i>there</i>
 * the other one, whichever of them was to move.
 */
@JsonPropertyOrder({"local", "remote", "there", "outcome"})
@JsonTypeInfo(
    use = JsonTypeInfo.Id.NAME,
    include = JsonTypeInfo.As.EXISTING_PROPERTY,
    property = "outcome")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TransferResult.UpToDate.class, name = "up_to_date"),
  @JsonSubTypes.Type(value = TransferResult.FastForwarded.class, name = "fast_forwarded"),
  @JsonSubTypes.Type(value = TransferResult.Created.class, name = "created"),
  @JsonSubTypes.Type(value = TransferResult.Diverged.class, name = "diverged"),
  @JsonSubTypes.Type(value = TransferResult.Rejected.class, name = "rejected"),
  @JsonSubTypes.Type(value = TransferResult.NoUpstream.class, name = "no_upstream"),
  @JsonSubTypes.Type(value = TransferResult.NotFound.class, name = "not_found")
})
public sealed interface TransferResult {

  /** Returns the address here. */
  String local();

  /** Returns the outcome as it is written, such as {@code up_to_date}. */
  @JsonProperty
  default String outcome() {
    return SnakeCaseStrategy.INSTANCE.translate(getClass().getSimpleName());
  }

  /** The side that was to move has it all already, and perhaps more. */
  record UpToDate(String local, String remote, String there, Ref localHead, Ref remoteHead)
      implements TransferResult {}

  /**
   * The side that was to move has moved.
   *
   * @param from head before; unborn if there was no commit
   * @param commits number of commits that were missing
   * @param bytes bytes that were sent, without those of an earlier try
   */
  record FastForwarded(
      String local, String remote, String there, Ref from, Ref to, long commits, long bytes)
      implements TransferResult {}

  /** The side that was to move didn't have the address, and has it now. */
  record Created(String local, String remote, String there, Ref to, long commits, long bytes)
      implements TransferResult {}

  /**
   * Each side has something that the other one lacks; nothing was moved.
   *
   * @param common newest commit that both have; empty if there is none, or if that can't be told of
   *     names without a ledger
   */
  record Diverged(
      String local,
      String remote,
      String there,
      Ref localHead,
      Ref remoteHead,
      Optional<Ref> common)
      implements TransferResult {}

  /**
   * The side that was to move isn't where it is known to have been, or other writers kept moving
   * it; nothing was moved. A fetch shows where it is.
   */
  record Rejected(String local, String remote, String there, Ref localHead, Ref remoteHead)
      implements TransferResult {}

  /** The address follows no remote, and the request named none. */
  record NoUpstream(String local) implements TransferResult {}

  /**
   * There is nothing to be moved, or nothing that it could become a branch of.
   *
   * @param address address that is missing
   * @param location store that lacks it
   */
  record NotFound(String local, String remote, String there, String address, String location)
      implements TransferResult {}
}
