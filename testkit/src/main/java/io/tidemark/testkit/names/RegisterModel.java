// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.History.Action;
import io.tidemark.testkit.names.History.Advance;
import io.tidemark.testkit.names.History.Answer;
import io.tidemark.testkit.names.History.Conflict;
import io.tidemark.testkit.names.History.Operation;
import io.tidemark.testkit.names.History.Push;
import io.tidemark.testkit.names.History.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules of one register, said once more and not taken from the code under test. States are
 * numbered, so that the search compares numbers and not JSON.
 */
final class RegisterModel {

  /** Where an operation doesn't lead: it can't take place in that state, or not with its answer. */
  static final int NOWHERE = -1;

  private final Concern concern;
  private final Map<Optional<ConcernValue>, Integer> numbers = new HashMap<>();
  private final List<Optional<ConcernValue>> states = new ArrayList<>();

  RegisterModel(Concern concern) {
    this.concern = concern;
  }

  int number(Optional<ConcernValue> state) {
    Integer known = numbers.get(state);
    if (known != null) {
      return known;
    }
    int next = states.size();
    states.add(state);
    numbers.put(state, next);
    return next;
  }

  Optional<ConcernValue> state(int number) {
    return states.get(number);
  }

  /** An operation in numbers. */
  final class Step {
    private final Operation operation;
    private final int next;
    private final int expected;
    private final int told;

    Step(Operation operation) {
      this.operation = operation;
      Action action = operation.action();
      this.next =
          action instanceof Push push
              ? number(Optional.of(push.next()))
              : action instanceof Advance advance ? number(Optional.of(advance.next())) : NOWHERE;
      this.expected = action instanceof Push push ? number(push.expected()) : NOWHERE;
      this.told = told(operation.answer());
    }

    private int told(Answer answer) {
      if (answer instanceof Seen seen) {
        return number(seen.value());
      }
      return answer instanceof Conflict conflict ? number(conflict.actual()) : NOWHERE;
    }

    Operation operation() {
      return operation;
    }

    /** Whether it only says something about the state. */
    boolean changesNothing() {
      return told != NOWHERE;
    }

    /** The state after it, when it takes place in this one and is answered as it was. */
    int from(int state) {
      boolean allowed = next != NOWHERE && allowedIn(state);
      if (changesNothing()) {
        return state == told && !allowed ? state : NOWHERE;
      }
      return allowed ? next : NOWHERE;
    }

    private boolean allowedIn(int state) {
      if (operation.action() instanceof Advance advance) {
        return state(state).isPresent()
            && (advance.bound() == Change.Bound.NEWER
                ? watermark(next) > watermark(state)
                : watermark(next) >= watermark(state));
      }
      return state == expected && (state(state).isEmpty() || forward(state));
    }

    private boolean forward(int state) {
      return concern == Concern.INDEX
          ? watermark(next) >= watermark(state)
          : watermark(next) > watermark(state);
    }

    /** Whether it can't take place in this state nor in any that may follow. */
    boolean isPast(int state) {
      if (operation.action() instanceof Advance advance) {
        return advance.bound() == Change.Bound.NEWER
            ? watermark(state) >= watermark(next)
            : watermark(state) > watermark(next);
      }
      return watermark(state) > watermark(expected) || watermark(state) > watermark(next);
    }
  }

  private long watermark(int state) {
    return states.get(state).map(ConcernValue::watermark).orElse(-1L);
  }
}
