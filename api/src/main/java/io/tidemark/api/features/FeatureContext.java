// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.api.Cancellation;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Context of operations.
 *
 * @param app application that writes; empty for the standard one
 * @param author person who writes; a server takes another than its caller from administrators only
 * @param requestId id of the request that writes, kept with what it changes
 * @param minTxn transaction that reads have to see; empty if a replica may lag
 * @param cancellation ends loads and streamed results
 */
@RecordBuilder
public record FeatureContext(
    Optional<String> app,
    Optional<String> author,
    Optional<String> requestId,
    OptionalLong minTxn,
    Cancellation cancellation)
    implements FeatureContextBuilder.With {

  /** Returns the context of operations that say nothing of it. */
  public static FeatureContext standard() {
    return new FeatureContext(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        new Cancellation());
  }

  /** Returns the context of an application that writes. */
  public static FeatureContext app(String id) {
    return standard().withApp(Optional.of(id));
  }

  /** Returns the context of a writing person. */
  public FeatureContext by(String person) {
    return withAuthor(Optional.of(person));
  }

  /** Returns the context of reads that have to see a transaction. */
  public FeatureContext since(long txn) {
    return withMinTxn(OptionalLong.of(txn));
  }
}
