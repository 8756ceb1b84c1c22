// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.History.Operation;
import io.tidemark.testkit.names.History.Register;
import io.tidemark.testkit.names.LinearizabilityChecker.Violation;
import io.tidemark.testkit.names.RegisterModel.Step;
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
  private record World(int state, long done) {}

  private static final class Event {
    final long time;
    final boolean answer;
    final Step step;

    Event(long time, boolean answer, Step step) {
      this.time = time;
      this.answer = answer;
      this.step = step;
    }
  }

  private final RegisterModel model;
  private final @Nullable Step[] underWay = new @Nullable Step[MOST_UNDER_WAY];
  private final Deque<Operation> answered = new ArrayDeque<>();
  private Set<World> worlds = new HashSet<>();

  RegisterSearch(Register register, Optional<ConcernValue> initial) {
    this.model = new RegisterModel(register.concern());
    worlds.add(new World(model.live(initial), 0));
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
      Step step = model.new Step(operation);
      events.add(new Event(operation.invoked(), false, step));
      if (!operation.isUnknown()) {
        events.add(new Event(operation.returned(), true, step));
      }
    }
    events.sort(
        Comparator.comparingLong((Event event) -> event.time).thenComparing(event -> event.answer));
    return events;
  }

  private void begin(Step step) {
    underWay[freeSlot()] = step;
    Set<World> next = new HashSet<>();
    for (World world : worlds) {
      next.add(settled(world.state(), world.done()));
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

  private boolean end(Step step) {
    int slot = slotOf(step);
    long bit = 1L << slot;
    Set<World> left = new HashSet<>();
    Set<World> known = new HashSet<>(worlds);
    Deque<World> open = new ArrayDeque<>(worlds);
    while (!open.isEmpty()) {
      World world = open.pop();
      if ((world.done() & bit) != 0) {
        left.add(new World(world.state(), world.done() & ~bit));
        continue;
      }
      for (World next : after(world)) {
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
    remember(step.operation());
    return true;
  }

  private int slotOf(Step step) {
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      if (underWay[slot] == step) {
        return slot;
      }
    }
    throw new IllegalStateException("an answer to " + step.operation() + " without a question");
  }

  /** The worlds that come from this one when one more operation takes place. */
  private List<World> after(World world) {
    List<World> next = new ArrayList<>();
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      Step step = underWay[slot];
      long bit = 1L << slot;
      if (step == null || (world.done() & bit) != 0 || step.changesNothing()) {
        continue;
      }
      int state = step.from(world.state());
      if (state != RegisterModel.NOWHERE) {
        next.add(settled(state, world.done() | bit));
      }
    }
    return next;
  }

  /** This world, with all in it that takes place by itself. */
  private World settled(int state, long done) {
    long settled = done;
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      Step step = underWay[slot];
      if (step == null) {
        continue;
      }
      boolean happens =
          step.changesNothing()
              ? step.from(state) == state
              : step.operation().isUnknown() && step.isPast(state);
      if (happens) {
        settled |= 1L << slot;
      }
    }
    return new World(state, settled);
  }

  /** Forgets unknown outcomes that are settled in every world. */
  private Set<World> withoutThePast(Set<World> left) {
    long everywhere = -1;
    for (World world : left) {
      everywhere &= world.done();
    }
    long forgotten = 0;
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      Step step = underWay[slot];
      if (step != null && step.operation().isUnknown() && (everywhere & (1L << slot)) != 0) {
        forgotten |= 1L << slot;
        underWay[slot] = null;
      }
    }
    if (forgotten == 0) {
      return left;
    }
    Set<World> shorter = new HashSet<>();
    for (World world : left) {
      shorter.add(new World(world.state(), world.done() & ~forgotten));
    }
    return shorter;
  }

  private void remember(Operation operation) {
    answered.addLast(operation);
    if (answered.size() > REMEMBERED) {
      answered.removeFirst();
    }
  }

  private Violation violation(Step step) {
    List<Optional<ConcernValue>> states =
        worlds.stream().map(World::state).distinct().map(model::value).toList();
    return new Violation(step.operation(), states, List.copyOf(answered));
  }
}
