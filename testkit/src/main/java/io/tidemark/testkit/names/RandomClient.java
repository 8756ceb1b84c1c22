// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.names.History.Action;
import io.tidemark.testkit.names.History.Advance;
import io.tidemark.testkit.names.History.Answer;
import io.tidemark.testkit.names.History.Conflict;
import io.tidemark.testkit.names.History.Done;
import io.tidemark.testkit.names.History.Operation;
import io.tidemark.testkit.names.History.Push;
import io.tidemark.testkit.names.History.Read;
import io.tidemark.testkit.names.History.Register;
import io.tidemark.testkit.names.History.Seen;
import io.tidemark.testkit.names.History.Unknown;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** One thread that pushes, advances and reads at random, with what it knows. */
public final class RandomClient {

  /** Gets to know what a client asks for and is told. */
  public interface Journal {

    /** A change is about to be asked for; a read isn't announced. */
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
  private final Map<Register, ConcernValue> known = new HashMap<>();
  private int step;

  /**
   * A client.
   *
   * @param number which no other client of the same records has
   */
  public RandomClient(int number, NameBackend backend, RandomGenerator random, Journal journal) {
    this.number = number;
    this.backend = backend;
    this.random = random;
    this.journal = journal;
  }

  /** Does one thing. */
  public void step() {
    Concern concern = CONCERNS.get(random.nextInt(CONCERNS.size()));
    Register register =
        new Register(RandomNames.address(random.nextInt(RandomNames.RECORDS)), concern);
    int drawn = random.nextInt(100);
    if (drawn < 25) {
      read(register);
    } else if (drawn < 35) {
      readAll(register.address());
    } else if (drawn < 80 || concern == Concern.STATUS || concern == Concern.CONFIG) {
      push(register);
    } else {
      advance(register);
    }
    step++;
  }

  void read(Register register) {
    long invoked = History.now();
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
    long invoked = History.now();
    Optional<NameRecord> record;
    try {
      record = backend.find(address);
    } catch (StoreUnavailableException e) {
      return;
    }
    long returned = History.now();
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
    Change change = new Change.Push(register.concern(), expected, next);
    change(register, new Push(Optional.of(expected), next), change);
  }

  private void advance(Register register) {
    long t = knownOf(register).watermark() + random.nextInt(4);
    ConcernValue next = value(register.concern(), t);
    Change.Bound bound =
        register.concern() == Concern.INDEX && random.nextBoolean()
            ? Change.Bound.NEWER_OR_EQUAL
            : Change.Bound.NEWER;
    Change change = new Change.Advance(register.concern(), next, bound);
    change(register, new Advance(next, bound), change);
  }

  private void change(Register register, Action action, Change change) {
    long invoked = History.now();
    journal.begin(number, register, action, invoked);
    Outcome outcome;
    try {
      outcome = backend.change(register.address(), change);
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
    }
  }

  private void end(Register register, Action action, Answer answer, long invoked) {
    journal.end(number, new Operation(register, action, answer, invoked, History.now()));
  }

  private Answer answer(Outcome outcome) {
    if (outcome instanceof Applied) {
      return new Done();
    }
    return new Conflict(
        outcome instanceof Refused refused ? Optional.of(refused.actual()) : Optional.empty());
  }

  private ConcernValue knownOf(Register register) {
    return known.computeIfAbsent(register, r -> RandomNames.initial(r).orElseThrow());
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
