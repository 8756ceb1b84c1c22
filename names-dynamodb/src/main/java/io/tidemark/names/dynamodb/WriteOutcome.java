// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Outcome of one write request. */
sealed interface WriteOutcome {

  /** The request was carried out. */
  record Written() implements WriteOutcome {}

  /**
   * A condition didn't hold; nothing was changed.
   *
   * @param old the item as it is, of a transaction the first that didn't meet its condition; empty
   *     when there is none
   */
  record ConditionFailed(Map<String, AttributeValue> old) implements WriteOutcome {}

  /** Nothing was changed, and it may work soon. */
  record Unavailable(StoreUnavailableException failure) implements WriteOutcome {}

  /** The request may or may not have been carried out. */
  record Unknown(OutcomeUnknownException failure) implements WriteOutcome {}
}
