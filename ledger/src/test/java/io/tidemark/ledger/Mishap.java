// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.testkit.objects.Fault;
import io.tidemark.testkit.objects.Operation;
import java.util.function.Supplier;

/** What may befall one request, and leaves the process alive. */
enum Mishap {
  LOSES_ITS_ANSWER(Fault::loseAnswer),
  GETS_LOST(Fault::loseRequest),
  IS_UNAVAILABLE(Fault::unavailable),
  MEETS_A_CONFLICT(Fault::conflict),
  IS_REFUSED_WITHOUT_CAUSE(Fault::refuse),
  IS_REFUSED_AFTER_SUCCESS(Fault::refuseOwnSuccess),
  ARRIVES_LATE(() -> Fault.arriveLate(2)),
  BREAKS_OFF(() -> Fault.breakOff(10));

  private final Supplier<Fault> fault;

  Mishap(Supplier<Fault> fault) {
    this.fault = fault;
  }

  Fault fault() {
    return fault.get();
  }

  boolean fits(Operation operation) {
    return switch (this) {
      case LOSES_ITS_ANSWER, GETS_LOST, IS_UNAVAILABLE, MEETS_A_CONFLICT -> true;
      case IS_REFUSED_WITHOUT_CAUSE, IS_REFUSED_AFTER_SUCCESS, ARRIVES_LATE ->
          operation == Operation.PUT;
      case BREAKS_OFF -> operation == Operation.GET;
    };
  }
}
