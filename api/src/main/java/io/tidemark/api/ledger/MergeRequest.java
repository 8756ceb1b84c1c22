// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Merge of another branch into this one.
 *
 * @param source branch to take in
 * @param apply whether to merge; otherwise the result says what it would come to
 * @param resolution whose fields count where both branches changed one: {@code refuse}, {@code
 *     ours} or {@code theirs}; empty for {@code refuse}
 * @param metadata kept with the commit
 */
@RecordBuilder
public record MergeRequest(
    String source, boolean apply, Optional<String> resolution, Map<String, String> metadata)
    implements MergeRequestBuilder.With {

  public MergeRequest {
    metadata = Map.copyOf(metadata);
  }

  /** Returns a request for the outcome that a merge would have. */
  public static MergeRequest of(String source) {
    return new MergeRequest(source, false, Optional.empty(), Map.of());
  }
}
