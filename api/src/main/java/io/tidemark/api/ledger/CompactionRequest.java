// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Compaction of many small files into few.
 *
 * @param type only files of this type; empty for all types
 * @param all whether all files of a type become one, however large they are
 * @param apply whether to compact; otherwise the result is a plan
 */
@RecordBuilder
public record CompactionRequest(Optional<String> type, boolean all, boolean apply)
    implements CompactionRequestBuilder.With {

  /** Returns a request for the plan of a compaction by sizes. */
  public static CompactionRequest plan() {
    return new CompactionRequest(Optional.empty(), false, false);
  }
}
