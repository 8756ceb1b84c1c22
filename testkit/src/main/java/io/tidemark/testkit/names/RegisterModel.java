// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.OperationHistory.Action;
import io.tidemark.testkit.names.OperationHistory.Advance;
import io.tidemark.testkit.names.OperationHistory.Answer;
import io.tidemark.testkit.names.OperationHistory.Conflict;
import io.tidemark.testkit.names.OperationHistory.Edit;
import io.tidemark.testkit.names.OperationHistory.Life;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Push;
import io.tidemark.testkit.names.OperationHistory.Refusal;
import io.tidemark.testkit.names.OperationHistory.Seen;
import io.tidemark.testkit.names.OperationHistory.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules of one register, said once more and not taken from the code under test. States are
 * numbered, so that the search compares numbers and not JSON: a value has an even number while its
 * record is live, and the odd one after it while that is retracted.
 */
final class RegisterModel {

  /** Where an operation doesn't lead: it can't take place in that state, or not with its answer. */
  static final int NOWHERE = -1;

  private final Concern concern;
  private final Map<Optional<ConcernValue>, Integer> numbers = new HashMap<>();
  private final List<Optional<ConcernValue>> values = new ArrayList<>();
  private boolean goesBack;

  RegisterModel(Concern concern) {
    this.concern = concern;
  }

  /** The number of a value in a record that is live. */
  int live(Optional<ConcernValue> value) {
    Integer known = numbers.get(value);
    if (known != null) {
      return known;
    }
    int next = 2 * values.size();
    values.add(value);
    numbers.put(value, next);
    return next;
  }

  private int number(State state) {
    return live(state.value()) + (state.life() == Life.RETRACTED ? 1 : 0);
  }

  private static boolean isLive(int state) {
    return state % 2 == 0;
  }

  Optional<ConcernValue> value(int state) {
    return values.get(state / 2);
  }

  /** An operation in numbers. */
  final class ModelOperation {
    private final Operation operation;
    private final int next;
    private final int expected;
    private final int told;

    ModelOperation(Operation operation) {
      this.operation = operation;
      this.next = next(operation.action());
      this.expected = expected(operation.action());
      this.told = told(operation.answer());
      goesBack |= operation.action() instanceof Edit && watermark(next) < watermark(expected);
    }

    private int next(Action action) {
      if (action instanceof Push push) {
        return live(Optional.of(push.next()));
      }
      if (action instanceof Advance advance) {
        return live(Optional.of(advance.next()));
      }
      return action instanceof Edit edit ? number(edit.after()) : NOWHERE;
    }

    private int expected(Action action) {
      if (action instanceof Push push) {
        return live(push.expected());
      }
      return action instanceof Edit edit ? number(edit.before()) : NOWHERE;
    }

    private int told(Answer answer) {
      if (answer instanceof Seen seen) {
        return live(seen.value());
      }
      return answer instanceof Conflict conflict ? live(conflict.actual()) : NOWHERE;
    }

    Operation operation() {
      return operation;
    }

    /** Whether it only says something about the state. */
    boolean changesNothing() {
      return told != NOWHERE || operation.answer() instanceof Refusal;
    }

    /** The state after it, when it takes place in this one and is answered as it was. */
    int from(int state) {
      boolean allowed = next != NOWHERE && allowedIn(state);
      if (changesNothing()) {
        return isTrueOf(state) && !allowed ? state : NOWHERE;
      }
      if (!allowed) {
        return NOWHERE;
      }
      return keepsValue() ? state / 2 * 2 + next % 2 : next;
    }

    private boolean keepsValue() {
      return operation.action() instanceof Edit edit && edit.keepsValue();
    }

    private boolean isTrueOf(int state) {
      return operation.answer() instanceof Refusal ? !isLive(state) : state / 2 == told / 2;
    }

    private boolean allowedIn(int state) {
      if (operation.action() instanceof Edit) {
        return keepsValue() ? isLive(state) == isLive(expected) : state == expected;
      }
      if (operation.action() instanceof Advance advance) {
        return isLive(state)
            && value(state).isPresent()
            && (advance.bound() == ConcernChange.Bound.NEWER
                ? watermark(next) > watermark(state)
                : watermark(next) >= watermark(state));
      }
      return state == expected && (value(state).isEmpty() || forward(state));
    }

    private boolean forward(int state) {
      return concern == Concern.INDEX
          ? watermark(next) >= watermark(state)
          : watermark(next) > watermark(state);
    }

    /** Whether it can't take place in this state nor in any that may follow. */
    boolean isPast(int state) {
      if (goesBack || keepsValue()) {
        return false; // what was passed may come again, or doesn't count
      }
      if (operation.action() instanceof Advance advance) {
        return advance.bound() == ConcernChange.Bound.NEWER
            ? watermark(state) >= watermark(next)
            : watermark(state) > watermark(next);
      }
      return watermark(state) > watermark(expected) || watermark(state) > watermark(next);
    }
  }

  private long watermark(int state) {
    return value(state).map(ConcernValue::watermark).orElse(-1L);
  }
}
