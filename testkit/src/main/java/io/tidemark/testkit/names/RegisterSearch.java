// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.LinearizabilityChecker.Violation;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.names.RegisterModel.ModelOperation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The search of {@link LinearizabilityChecker} in one register. */
final class RegisterSearch {

  private static final int MOST_UNDER_WAY = Long.SIZE;
  private static final int REMEMBERED = 12;

  /**
   * A way things may have been.
   *
   * @param state the number of the register's state
   * @param done a bit for each operation under way: whether it has taken place
   */
  private record Configuration(int state, long done) {}

  private static final class Event {
    final long time;
    final boolean answer;
    final ModelOperation step;

    Event(long time, boolean answer, ModelOperation modelOperation) {
      this.time = time;
      this.answer = answer;
      this.step = modelOperation;
    }
  }

  private final RegisterModel model;
  private final @Nullable ModelOperation[] underWay = new @Nullable ModelOperation[MOST_UNDER_WAY];
  private final Deque<Operation> answered = new ArrayDeque<>();
  private Set<Configuration> worlds = new HashSet<>();

  RegisterSearch(Register register, Optional<ConcernValue> initial) {
    this.model = new RegisterModel(register.concern());
    worlds.add(new Configuration(model.live(initial), 0));
  }

  Optional<Violation> search(List<Operation> operations) {
    for (Event event : events(operations)) {
      if (!event.answer) {
        begin(event.step);
      } else if (!end(event.step)) {
        return Optional.of(violation(event.step));
      }
    }
    return Optional.empty();
  }

  /** In the order of time; at the same time questions first, so that in doubt they overlap. */
  private List<Event> events(List<Operation> operations) {
    List<Event> events = new ArrayList<>();
    for (Operation operation : operations) {
      ModelOperation modelOperation = model.new ModelOperation(operation);
      events.add(new Event(operation.invoked(), false, modelOperation));
      if (!operation.isUnknown()) {
        events.add(new Event(operation.returned(), true, modelOperation));
      }
    }
    events.sort(
        Comparator.comparingLong((Event event) -> event.time).thenComparing(event -> event.answer));
    return events;
  }

  private void begin(ModelOperation modelOperation) {
    underWay[freeSlot()] = modelOperation;
    Set<Configuration> next = new HashSet<>();
    for (Configuration configuration : worlds) {
      next.add(settled(configuration.state(), configuration.done()));
    }
    worlds = next;
  }

  private int freeSlot() {
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      if (underWay[slot] == null) {
        return slot;
      }
    }
    throw new IllegalStateException(
        "more than " + MOST_UNDER_WAY + " operations under way at once; use fewer threads");
  }

  private boolean end(ModelOperation modelOperation) {
    int slot = slotOf(modelOperation);
    long bit = 1L << slot;
    Set<Configuration> left = new HashSet<>();
    Set<Configuration> known = new HashSet<>(worlds);
    Deque<Configuration> open = new ArrayDeque<>(worlds);
    while (!open.isEmpty()) {
      Configuration configuration = open.pop();
      if ((configuration.done() & bit) != 0) {
        left.add(new Configuration(configuration.state(), configuration.done() & ~bit));
        continue;
      }
      for (Configuration next : after(configuration)) {
        if (known.add(next)) {
          open.push(next);
        }
      }
    }
    if (left.isEmpty()) {
      return false;
    }
    underWay[slot] = null;
    worlds = withoutThePast(left);
    remember(modelOperation.operation());
    return true;
  }

  private int slotOf(ModelOperation modelOperation) {
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      if (underWay[slot] == modelOperation) {
        return slot;
      }
    }
    throw new IllegalStateException(
        "an answer to " + modelOperation.operation() + " without a question");
  }

  /** The worlds that come from this one when one more operation takes place. */
  private List<Configuration> after(Configuration configuration) {
    List<Configuration> next = new ArrayList<>();
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      ModelOperation modelOperation = underWay[slot];
      long bit = 1L << slot;
      if (modelOperation == null
          || (configuration.done() & bit) != 0
          || modelOperation.changesNothing()) {
        continue;
      }
      int state = modelOperation.from(configuration.state());
      if (state != RegisterModel.NOWHERE) {
        next.add(settled(state, configuration.done() | bit));
      }
    }
    return next;
  }

  /** This world, with all in it that takes place by itself. */
  private Configuration settled(int state, long done) {
    long settled = done;
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      ModelOperation modelOperation = underWay[slot];
      if (modelOperation == null) {
        continue;
      }
      boolean happens =
          modelOperation.changesNothing()
              ? modelOperation.from(state) == state
              : modelOperation.operation().isUnknown() && modelOperation.isPast(state);
      if (happens) {
        settled |= 1L << slot;
      }
    }
    return new Configuration(state, settled);
  }

  /** Forgets unknown outcomes that are settled in every world. */
  private Set<Configuration> withoutThePast(Set<Configuration> left) {
    long everywhere = -1;
    for (Configuration configuration : left) {
      everywhere &= configuration.done();
    }
    long forgotten = 0;
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      ModelOperation modelOperation = underWay[slot];
      if (modelOperation != null
          && modelOperation.operation().isUnknown()
          && (everywhere & (1L << slot)) != 0) {
        forgotten |= 1L << slot;
        underWay[slot] = null;
      }
    }
    if (forgotten == 0) {
      return left;
    }
    Set<Configuration> shorter = new HashSet<>();
    for (Configuration configuration : left) {
      shorter.add(new Configuration(configuration.state(), configuration.done() & ~forgotten));
    }
    return shorter;
  }

  private void remember(Operation operation) {
    answered.addLast(operation);
    if (answered.size() > REMEMBERED) {
      answered.removeFirst();
    }
  }

  private Violation violation(ModelOperation modelOperation) {
    List<Optional<ConcernValue>> states =
        worlds.stream().map(Configuration::state).distinct().map(model::value).toList();
    return new Violation(modelOperation.operation(), states, List.copyOf(answered));
  }
}
