// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;

/**
 * Past state of features: after a transaction with all before it, or with all transactions that had
 * begun by a time. A time that depends on the caller's clock or zone is resolved by the caller.
 *
 * @param text number of a transaction, such as {@code 2026111600000000007}, or a time with its zone
 */
public record FeatureMoment(String text) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public FeatureMoment {}

  /** Returns the state after a transaction. */
  public static FeatureMoment transaction(long txn) {
    return new FeatureMoment(Long.toString(txn));
  }

  /** Returns the state at a time. */
  public static FeatureMoment time(Instant time) {
    return new FeatureMoment(time.toString());
  }

  @JsonValue
  @Override
  public String toString() {
    return text;
  }
}
