// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Listing of commits, the newest first.
 *
 * @param since commit after which commits are listed
 * @param meta values that the metadata of a commit must have, by their keys
 * @param limit maximum number of commits on a page
 * @param cursor end of the page before
 */
@RecordBuilder
public record CommitsRequest(
    long since, Map<String, String> meta, int limit, Optional<String> cursor)
    implements CommitsRequestBuilder.With {

  public CommitsRequest {
    meta = Map.copyOf(meta);
  }

  /** Returns the listing of the newest commits. */
  public static CommitsRequest newest(int limit) {
    return new CommitsRequest(0, Map.of(), limit, Optional.empty());
  }
}
