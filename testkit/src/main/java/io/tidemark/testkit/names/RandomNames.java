// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.READY;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Kind;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.History.Action;
import io.tidemark.testkit.names.History.Advance;
import io.tidemark.testkit.names.History.Answer;
import io.tidemark.testkit.names.History.Conflict;
import io.tidemark.testkit.names.History.Done;
import io.tidemark.testkit.names.History.Push;
import io.tidemark.testkit.names.History.Read;
import io.tidemark.testkit.names.History.Register;
import io.tidemark.testkit.names.History.Seen;
import io.tidemark.testkit.names.History.Unknown;
import io.tidemark.testkit.objects.Race;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Threads that push, advance and read a few records at random, and write down what they are told.
 *
 * <p>What each thread tries depends on the seed and on what it was told before; which thread is
 * when, is up to the machine.
 */
public final class RandomNames {
  private static final int RECORDS = 6;
  private static final List<Concern> CONCERNS = List.of(Concern.values());

  private final NameBackend calm;
  private final List<NameBackend> backends;
  private final Seed seed;
  private final int threads;
  private final int operations;
  private final History history = new History();

  /**
   * Prepares a run.
   *
   * @param backends instances at one place, for the threads to share
   */
  public RandomNames(List<NameBackend> backends, Seed seed, int threads, int operations) {
    this(backends.get(0), backends, seed, threads, operations);
  }

  /**
   * Prepares a run through faults.
   *
   * @param calm an instance at the same place without faults, which creates the records and has the
   *     last look
   */
  public RandomNames(
      NameBackend calm, List<NameBackend> backends, Seed seed, int threads, int operations) {
    this.calm = calm;
    this.backends = List.copyOf(backends);
    this.seed = seed;
    this.threads = threads;
    this.operations = operations;
  }

  /** What a register is before the first operation. */
  public static Optional<ConcernValue> initial(Register register) {
    return Optional.of(register.concern() == Concern.STATUS ? READY : ConcernValue.UNBORN);
  }

  /** Does it all; to be called once. */
  public History run() throws Exception {
    return run(() -> {});
  }

  /**
   * Does it all; to be called once.
   *
   * @param settle makes what is still on its way arrive, before the last look
   */
  public History run(Runnable settle) throws Exception {
    for (int i = 0; i < RECORDS; i++) {
      calm.create(unborn(address(i)));
    }
    SplittableRandom seeds = new SplittableRandom(seed.value());
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      clients.add(new Client(i, backends.get(i % backends.size()), seeds.split()));
    }
    Race.run(
        threads,
        thread -> {
          clients.get(thread).run(1 + operations / threads);
          return thread;
        });
    settle.run();
    Client last = new Client(threads, calm, seeds.split());
    for (int i = 0; i < RECORDS; i++) {
      last.readAll(address(i));
      for (Concern concern : Concern.values()) {
        last.read(new Register(address(i), concern));
      }
    }
    return history;
  }

  private static Address address(int number) {
    return Address.parse("random/" + number + ":main");
  }

  private static NameRecord unborn(Address address) {
    return new NameRecord(
        address,
        new NameRecord.Meta(
            Kind.LEDGER,
            Optional.empty(),
            List.of(),
            Optional.empty(),
            1,
            false,
            Optional.empty(),
            0,
            0),
        ConcernValue.UNBORN,
        ConcernValue.UNBORN,
        READY,
        ConcernValue.UNBORN);
  }

  /** One thread, with what it knows. */
  private final class Client {
    private final int number;
    private final NameBackend backend;
    private final RandomGenerator random;
    private final Map<Register, ConcernValue> known = new HashMap<>();
    private int step;

    Client(int number, NameBackend backend, RandomGenerator random) {
      this.number = number;
      this.backend = backend;
      this.random = random;
    }

    void run(int steps) {
      for (step = 0; step < steps; step++) {
        Concern concern = CONCERNS.get(random.nextInt(CONCERNS.size()));
        Register register = new Register(address(random.nextInt(RECORDS)), concern);
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
      }
    }

    void read(Register register) {
      long invoked = History.now();
      Optional<ConcernValue> value;
      try {
        value = backend.get(register.address(), register.concern());
      } catch (StoreUnavailableException e) {
        return; // it says nothing
      }
      history.add(register, new Read(), new Seen(value), invoked);
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
        history.add(
            new History.Operation(register, new Read(), new Seen(value), invoked, returned));
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
      Outcome outcome;
      try {
        outcome = backend.change(register.address(), change);
      } catch (OutcomeUnknownException e) {
        history.add(register, action, new Unknown(), invoked);
        return;
      } catch (StoreUnavailableException | ContentionException e) {
        return; // nothing happened, is what these say; a trace of it would be found out
      }
      history.add(register, action, answer(outcome), invoked);
      if (outcome instanceof Applied applied) {
        known.put(register, applied.now());
      } else if (outcome instanceof Refused refused) {
        known.put(register, refused.actual());
      }
    }

    private Answer answer(Outcome outcome) {
      if (outcome instanceof Applied) {
        return new Done();
      }
      return new Conflict(
          outcome instanceof Refused refused ? Optional.of(refused.actual()) : Optional.empty());
    }

    private ConcernValue knownOf(Register register) {
      return known.computeIfAbsent(register, r -> initial(r).orElseThrow());
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
}
