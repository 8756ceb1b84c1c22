// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * A ledger to be made.
 *
 * @param ledger name of the ledger
 * @param objects location of its objects: a path, {@code s3://bucket/prefix}, or a path in the
 *     store of the names that ends with a slash; empty for {@code ledgers/NAME/} there
 * @param token token of the plan, to begin anew where there is a ledger; empty otherwise
 */
@RecordBuilder
public record InitRequest(String ledger, Optional<String> objects, Optional<String> token)
    implements InitRequestBuilder.With {

  /** Returns a request for a ledger in the usual location. */
  public static InitRequest of(String ledger) {
    return new InitRequest(ledger, Optional.empty(), Optional.empty());
  }
}
