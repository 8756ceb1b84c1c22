// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.names.OperationHistory.Action;
import io.tidemark.testkit.names.OperationHistory.Advance;
import io.tidemark.testkit.names.OperationHistory.Answer;
import io.tidemark.testkit.names.OperationHistory.Conflict;
import io.tidemark.testkit.names.OperationHistory.Done;
import io.tidemark.testkit.names.OperationHistory.Life;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Push;
import io.tidemark.testkit.names.OperationHistory.Read;
import io.tidemark.testkit.names.OperationHistory.Refusal;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.names.OperationHistory.Seen;
import io.tidemark.testkit.names.OperationHistory.State;
import io.tidemark.testkit.names.OperationHistory.Unknown;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** One thread that pushes, advances, edits and reads at random, with what it knows. */
public final class RandomClient {

  /** Gets to know what a client asks for and is told. */
  public interface Journal {

    /**
     * A change is about to be asked for; a read isn't announced. An edit is announced for each
     * register of its record.
     */
    default void begin(int client, Register register, Action action, long invoked) {}

    /** The answer has come. */
    void end(int client, Operation operation);

    /** The change that was begun hasn't taken place and never will. */
    default void withdraw(int client) {}
  }

  private static final List<Concern> CONCERNS = List.of(Concern.values());

  private final int number;
  private final NameBackend backend;
  private final RandomGenerator random;
  private final Journal journal;
  private final RandomEdits edits;
  private final Map<Register, ConcernValue> known = new HashMap<>();
  private int step;

  /**
   * A client.
   *
   * @param number which no other client of the same records has
   */
  public RandomClient(int number, NameBackend backend, RandomGenerator random, Journal journal) {
    this(number, backend, random, journal, RandomEdits.Style.THOROUGH);
  }

  RandomClient(
      int number,
      NameBackend backend,
      RandomGenerator random,
      Journal journal,
      RandomEdits.Style style) {
    this.number = number;
    this.backend = backend;
    this.random = random;
    this.journal = journal;
    this.edits = new RandomEdits(random, style);
  }

  /** Does one thing. */
  public void step() {
    Concern concern = CONCERNS.get(random.nextInt(CONCERNS.size()));
    Register register =
        new Register(
            RandomNamesWorkload.address(random.nextInt(RandomNamesWorkload.RECORDS)), concern);
    int drawn = random.nextInt(100);
    if (drawn < 25) {
      read(register);
    } else if (drawn < 35) {
      readAll(register.address());
    } else if (drawn < 38) {
      edit(register.address());
    } else if (drawn < 80 || concern == Concern.STATUS || concern == Concern.CONFIG) {
      push(register);
    } else {
      advance(register);
    }
    step++;
  }

  void read(Register register) {
    long invoked = OperationHistory.now();
    Optional<ConcernValue> value;
    try {
      value = backend.get(register.address(), register.concern());
    } catch (StoreUnavailableException e) {
      return; // it says nothing
    }
    end(register, new Read(), new Seen(value), invoked);
    value.ifPresent(seen -> known.put(register, seen));
  }

  /** The whole record: of each register a read in the same time. */
  void readAll(Address address) {
    long invoked = OperationHistory.now();
    Optional<NameRecord> record;
    try {
      record = backend.find(address);
    } catch (StoreUnavailableException e) {
      return;
    }
    long returned = OperationHistory.now();
    for (Concern concern : Concern.values()) {
      Register register = new Register(address, concern);
      Optional<ConcernValue> value = record.map(r -> r.concern(concern));
      journal.end(number, new Operation(register, new Read(), new Seen(value), invoked, returned));
      value.ifPresent(seen -> known.put(register, seen));
    }
  }

  private void push(Register register) {
    ConcernValue expected = knownOf(register);
    long from = expected.watermark();
    int drawn = random.nextInt(20);
    ConcernValue next = value(register.concern(), from + 1 + (drawn < 3 ? drawn : 0));
    if (drawn == 3) {
      next = value(register.concern(), Math.max(0, from - random.nextInt(3)));
    } else if (drawn == 4) {
      expected = value(register.concern(), from); // the right number on something else
    } else if (drawn == 5 && register.concern() == Concern.INDEX) {
      next = value(register.concern(), from);
    }
    ConcernChange concernChange = new ConcernChange.Push(register.concern(), expected, next);
    change(register, new Push(Optional.of(expected), next), concernChange);
  }

  private void advance(Register register) {
    long t = knownOf(register).watermark() + random.nextInt(4);
    ConcernValue next = value(register.concern(), t);
    ConcernChange.Bound bound =
        register.concern() == Concern.INDEX && random.nextBoolean()
            ? ConcernChange.Bound.NEWER_OR_EQUAL
            : ConcernChange.Bound.NEWER;
    ConcernChange concernChange = new ConcernChange.Advance(register.concern(), next, bound);
    change(register, new Advance(next, bound), concernChange);
  }

  private void change(Register register, Action action, ConcernChange concernChange) {
    long invoked = OperationHistory.now();
    journal.begin(number, register, action, invoked);
    Outcome outcome;
    try {
      outcome = backend.change(register.address(), concernChange);
    } catch (OutcomeUnknownException e) {
      end(register, action, new Unknown(), invoked);
      return;
    } catch (StoreUnavailableException | ContentionException e) {
      journal.withdraw(number); // that is what these say; a trace of it would be found out
      return;
    }
    end(register, action, answer(outcome), invoked);
    if (outcome instanceof Applied applied) {
      known.put(register, applied.now());
    } else if (outcome instanceof Refused refused) {
      known.put(register, refused.actual());
    } else if (outcome == NameBackend.Retracted.RETRACTED) {
      edit(register.address()); // so that it isn't for long
    }
  }

  private void edit(Address address) {
    long invoked = OperationHistory.now();
    Deque<EditResult> decisions = new ArrayDeque<>();
    try {
      Optional<EditResult> edited =
          backend.edit(address, seen -> decide(seen, decisions::addLast, invoked));
      end(edited.orElseThrow(), new Done(), invoked);
    } catch (OutcomeUnknownException e) {
      if (!decisions.isEmpty()) {
        // Only the last can have been carried out.
        end(decisions.getLast(), new Unknown(), invoked);
      }
    } catch (StoreUnavailableException | ContentionException e) {
      journal.withdraw(number);
    }
  }

  private EditDecision decide(NameRecord seen, Consumer<EditResult> decisions, long invoked) {
    NameRecord next = edits.next(seen, "w" + number + "-" + step);
    EditDecision decision = EditDecision.replace(seen, next);
    decisions.accept(EditResult.of(seen, decision));
    journal.withdraw(number); // of what was decided before, if it was
    for (Concern concern : CONCERNS) {
      Register register = new Register(seen.address(), concern);
      journal.begin(number, register, edit(seen, next, concern), invoked);
    }
    return decision;
  }

  private void end(EditResult editResult, Answer answer, long invoked) {
    NameRecord before = editResult.before();
    NameRecord after = editResult.after().orElseThrow();
    for (Concern concern : CONCERNS) {
      Register register = new Register(before.address(), concern);
      end(register, edit(before, after, concern), answer, invoked);
      if (answer instanceof Done) {
        known.put(register, after.concern(concern));
      }
    }
  }

  private static Action edit(NameRecord before, NameRecord after, Concern concern) {
    return new OperationHistory.Edit(state(before, concern), state(after, concern));
  }

  private static State state(NameRecord record, Concern concern) {
    Life life = record.meta().retracted() ? Life.RETRACTED : Life.LIVE;
    return new State(Optional.of(record.concern(concern)), life);
  }

  private void end(Register register, Action action, Answer answer, long invoked) {
    journal.end(number, new Operation(register, action, answer, invoked, OperationHistory.now()));
  }

  private Answer answer(Outcome outcome) {
    if (outcome instanceof Applied) {
      return new Done();
    }
    if (outcome == NameBackend.Retracted.RETRACTED) {
      return new Refusal();
    }
    return new Conflict(
        outcome instanceof Refused refused ? Optional.of(refused.actual()) : Optional.empty());
  }

  private ConcernValue knownOf(Register register) {
    return known.computeIfAbsent(register, r -> RandomNamesWorkload.initial(r).orElseThrow());
  }

  /** A value that nobody else ever writes. */
  private ConcernValue value(Concern concern, long watermark) {
    String id = "w" + number + "-" + step;
    return switch (concern) {
      case HEAD -> Samples.head(id, watermark);
      case INDEX -> Samples.index(id, watermark, 0);
      case STATUS -> Samples.state(watermark, id);
      case CONFIG -> Samples.value(watermark, "{'by':'" + id + "'}");
    };
  }
}
