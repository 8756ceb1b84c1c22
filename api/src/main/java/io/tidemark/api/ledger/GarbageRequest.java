// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.OptionalLong;

/**
 * Garbage collection of a ledger.
 *
 * @param minAgeSeconds minimum age of garbage; empty for a day. A server takes no less than that
 * @param apply whether to delete; otherwise the report says what would be deleted
 */
@RecordBuilder
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record GarbageRequest(OptionalLong minAgeSeconds, boolean apply)
    implements GarbageRequestBuilder.With {

  /** Returns a request for a report of what is a day old. */
  public static GarbageRequest plan() {
    return new GarbageRequest(OptionalLong.empty(), false);
  }
}
