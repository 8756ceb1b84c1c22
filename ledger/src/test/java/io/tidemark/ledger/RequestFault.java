// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;

/** What may befall one request, and leaves the process alive. */
enum RequestFault {
  LOSES_ITS_ANSWER,
  GETS_LOST,
  IS_UNAVAILABLE,
  MEETS_A_CONFLICT,
  IS_REFUSED_WITHOUT_CAUSE,
  IS_REFUSED_AFTER_SUCCESS,
  ARRIVES_LATE,
  BREAKS_OFF;

  BackendFault fault() {
    return switch (this) {
      case LOSES_ITS_ANSWER -> BackendFault.loseAnswer();
      case GETS_LOST -> BackendFault.loseRequest();
      case IS_UNAVAILABLE -> BackendFault.unavailable();
      case MEETS_A_CONFLICT -> BackendFault.conflict();
      case IS_REFUSED_WITHOUT_CAUSE -> BackendFault.refuse();
      case IS_REFUSED_AFTER_SUCCESS -> BackendFault.refuseOwnSuccess();
      case ARRIVES_LATE -> BackendFault.arriveLate(2);
      case BREAKS_OFF -> BackendFault.breakOff(10);
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
