// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;

/** One request on its way to the backend, and what a fault may do with it. */
abstract class FaultableCall<T> {
  private final Operation operation;
  private final String key;

  FaultableCall(Operation operation, String key) {
    this.operation = operation;
    this.key = key;
  }

  final Operation operation() {
    return operation;
  }

  final String key() {
    return key;
  }

  /** Carries it out. */
  abstract T send();

  /** Goes on to the next fault that waits for such a request, or carries it out. */
  abstract T proceed();

  /** Says what a store says when the condition doesn't hold, without carrying it out. */
  T refuse() {
    throw new IllegalStateException(operation + " can't be refused");
  }

  /** Carries it out by itself when so many later requests have come. */
  void sendLate(int requestsLater) {
    throw new IllegalStateException(operation + " can't be late");
  }

  /** Carries it out, but its answer ends too soon. */
  T sendAndBreakOff(int after) {
    throw new IllegalStateException(operation + " can't break off");
  }

  final TidemarkException lost() {
    String what = "injected: the answer to " + operation + " " + key + " was lost";
    return operation.changes()
        ? new OutcomeUnknownException(what)
        : new StoreUnavailableException(what);
  }

  final StoreUnavailableException unavailable(String why) {
    return new StoreUnavailableException("injected: " + operation + " " + key + " got " + why);
  }
}
