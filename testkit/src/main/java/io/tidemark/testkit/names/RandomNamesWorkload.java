// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.READY;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.objects.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Threads that push, advance, edit and read a few records at random, and write down what they are
 * told.
 *
 * <p>What each thread tries depends on the seed and on what it was told before; which thread is
 * when, is up to the machine.
 */
public final class RandomNamesWorkload {
  static final int RECORDS = 6;

  private final NameBackend calm;
  private final List<NameBackend> backends;
  private final Seed seed;
  private final int threads;
  private final int operations;
  private final RandomEdits.Style style;
  private final OperationHistory operationHistory = new OperationHistory();

  /**
   * Prepares a run.
   *
   * @param backends instances at one place, for the threads to share
   */
  public RandomNamesWorkload(List<NameBackend> backends, Seed seed, int threads, int operations) {
    this(backends.get(0), backends, seed, threads, operations, RandomEdits.Style.USUAL);
  }

  /**
   * Prepares a run through faults.
   *
   * @param calm an instance at the same place without faults, which creates the records and has the
   *     last look
   */
  public RandomNamesWorkload(
      NameBackend calm, List<NameBackend> backends, Seed seed, int threads, int operations) {
    this(calm, backends, seed, threads, operations, RandomEdits.Style.THOROUGH);
  }

  private RandomNamesWorkload(
      NameBackend calm,
      List<NameBackend> backends,
      Seed seed,
      int threads,
      int operations,
      RandomEdits.Style style) {
    this.calm = calm;
    this.backends = List.copyOf(backends);
    this.seed = seed;
    this.threads = threads;
    this.operations = operations;
    this.style = style;
  }

  /** What a register is before the first operation. */
  public static Optional<ConcernValue> initial(Register register) {
    return Optional.of(register.concern() == Concern.STATUS ? READY : ConcernValue.UNBORN);
  }

  /** Does it all; to be called once. */
  public OperationHistory run() throws Exception {
    return run(() -> {});
  }

  /**
   * Does it all; to be called once.
   *
   * @param settle makes what is still on its way arrive, before the last look
   */
  public OperationHistory run(Runnable settle) throws Exception {
    create(calm);
    SplittableRandom seeds = new SplittableRandom(seed.value());
    List<RandomClient> clients = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      NameBackend backend = backends.get(i % backends.size());
      clients.add(
          new RandomClient(
              i,
              backend,
              seeds.split(),
              (client, operation) -> operationHistory.add(operation),
              style));
    }
    Race.run(
        threads,
        thread -> {
          for (int step = 0; step <= operations / threads; step++) {
            clients.get(thread).step();
          }
          return thread;
        });
    settle.run();
    readAll(calm, operationHistory);
    return operationHistory;
  }

  /** Creates the records that clients change. */
  public static void create(NameBackend backend) {
    for (int i = 0; i < RECORDS; i++) {
      backend.create(unborn(address(i)));
    }
  }

  /** Reads everything in each way, after the last change. */
  public static void readAll(NameBackend backend, OperationHistory operationHistory) {
    RandomClient last =
        new RandomClient(
            -1,
            backend,
            new SplittableRandom(0),
            (client, operation) -> operationHistory.add(operation));
    for (int i = 0; i < RECORDS; i++) {
      last.readAll(address(i));
      for (Concern concern : Concern.values()) {
        last.read(new Register(address(i), concern));
      }
    }
  }

  static Address address(int number) {
    return Address.parse("random/" + number + ":main");
  }

  private static NameRecord unborn(Address address) {
    return new NameRecord(
        address,
        new NameRecord.Meta(
            RecordKind.LEDGER,
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
}
