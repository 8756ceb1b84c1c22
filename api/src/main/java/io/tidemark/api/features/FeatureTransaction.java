// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Transaction of the log.
 *
 * @param txn number of the transaction, taken while it was under way
 * @param seqNumber its place in the order in which transactions became visible; empty until it is
 *     numbered
 * @param seqTs time at which it was numbered
 * @param ts time at which it began
 * @param appId application that wrote
 * @param author author of the changes; empty if none was given
 * @param psqlId id of the transaction in PostgreSQL
 * @param signals changes and messages, in the order of their first occurrence
 */
@RecordBuilder
public record FeatureTransaction(
    long txn,
    Optional<Long> seqNumber,
    @JsonSerialize(contentUsing = ToStringSerializer.class) Optional<Instant> seqTs,
    @JsonSerialize(using = ToStringSerializer.class) Instant ts,
    String appId,
    Optional<String> author,
    long psqlId,
    List<TransactionSignal> signals)
    implements FeatureTransactionBuilder.With {

  public FeatureTransaction {
    signals = List.copyOf(signals);
  }
}
