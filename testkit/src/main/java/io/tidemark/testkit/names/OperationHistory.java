// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What clients asked for and were told, and when. Any number of threads may write it; histories of
 * several processes on one machine can be put together, since its clock is the machine's.
 */
public final class OperationHistory {

  /** One concern of one record: registers don't depend on each other. */
  public record Register(Address address, Concern concern) {}

  /** What was asked for. */
  public sealed interface Action {}

  /** What is it? */
  public record Read() implements Action {}

  /**
   * Compare-and-set.
   *
   * @param expected empty: that there is no such record
   * @param next where to
   */
  public record Push(Optional<ConcernValue> expected, ConcernValue next) implements Action {}

  /** Forward from wherever it is. */
  public record Advance(ConcernValue next, ConcernChange.Bound bound) implements Action {}

  /** Whether a record takes changes. */
  public enum Life {
    LIVE,
    RETRACTED
  }

  /** A register, and with it what becomes of changes. */
  public record State(Optional<ConcernValue> value, Life life) {}

  /**
   * What an edit of the whole record is for one register.
   *
   * @param before what was decided about
   * @param after what that is to become
   */
  public record Edit(State before, State after) implements Action {

    /**
     * Whether it leaves the value alone. Then it says nothing of the value, which may have moved on
     * since it was looked at.
     */
    boolean keepsValue() {
      return before.value().equals(after.value());
    }
  }

  /** What was told. */
  public sealed interface Answer {}

  /** It was this. */
  public record Seen(Optional<ConcernValue> value) implements Answer {}

  /** It is now what was asked for. */
  public record Done() implements Answer {}

  /** It is as it was, which is this. */
  public record Conflict(Optional<ConcernValue> actual) implements Answer {}

  /** It is as it was, since the record takes no changes. */
  public record Refusal() implements Answer {}

  /** It may have happened, may yet happen, or may never happen. */
  public record Unknown() implements Answer {}

  /**
   * An action with its answer.
   *
   * @param invoked when it was asked for
   * @param returned when the answer was there; ignored for an unknown outcome
   */
  public record Operation(
      Register register, Action action, Answer answer, long invoked, long returned) {

    /** Whether its outcome is unknown. */
    public boolean isUnknown() {
      return answer instanceof Unknown;
    }
  }

  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();

  /** The time, to be asked just before an action begins. */
  public static long now() {
    return System.nanoTime();
  }

  /** Adds an operation whose answer has just come. */
  public void add(Register register, Action action, Answer answer, long invoked) {
    add(new Operation(register, action, answer, invoked, now()));
  }

  /** Adds an operation. */
  public void add(Operation operation) {
    operations.add(operation);
  }

  /** All operations, in no particular order. */
  public List<Operation> operations() {
    return List.copyOf(operations);
  }
}
