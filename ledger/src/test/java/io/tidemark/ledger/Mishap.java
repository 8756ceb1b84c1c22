// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.testkit.objects.Fault;
import io.tidemark.testkit.objects.Operation;

/** What may befall one request, and leaves the process alive. */
enum Mishap {
  LOSES_ITS_ANSWER,
  GETS_LOST,
  IS_UNAVAILABLE,
  MEETS_A_CONFLICT,
  IS_REFUSED_WITHOUT_CAUSE,
  IS_REFUSED_AFTER_SUCCESS,
  ARRIVES_LATE,
  BREAKS_OFF;

  Fault fault() {
    return switch (this) {
      case LOSES_ITS_ANSWER -> Fault.loseAnswer();
      case GETS_LOST -> Fault.loseRequest();
      case IS_UNAVAILABLE -> Fault.unavailable();
      case MEETS_A_CONFLICT -> Fault.conflict();
      case IS_REFUSED_WITHOUT_CAUSE -> Fault.refuse();
      case IS_REFUSED_AFTER_SUCCESS -> Fault.refuseOwnSuccess();
      case ARRIVES_LATE -> Fault.arriveLate(2);
      case BREAKS_OFF -> Fault.breakOff(10);
    };
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
