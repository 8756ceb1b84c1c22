// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.bench.measure.Workload;
import io.tidemark.bench.names.Registers.Move;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writers who move registers: all of them one, or each its share of many. They know how the
 * register is, from their own last move or from the last conflict, so that a move is one request.
 */
final class RegisterWriters<S> implements AutoCloseable {

  /** The register that all move; the others follow it. */
  private static final int HOT = 0;

  private final Registers<S> registers;
  private final WorkerThreads one = new WorkerThreads(1);
  private final WorkerThreads many = new WorkerThreads(NamesComparison.MANY);

  /** How each register is, apart from the hot one; no two threads look at the same. */
  private final List<S> known;

  private RegisterWriters(Registers<S> registers, List<S> known) {
    this.registers = registers;
    this.known = known;
  }

  /** Makes a hot register and as many others as are asked for. */
  static <S> RegisterWriters<S> of(Registers<S> registers, int others) throws Exception {
    S hot = registers.create(HOT);
    RegisterWriters<S> registerWriters =
        new RegisterWriters<>(registers, new ArrayList<>(Collections.nCopies(others, hot)));
    registerWriters.many.run(
        thread -> {
          for (int i = thread; i < others; i += NamesComparison.MANY) {
            registerWriters.known.set(i, registers.create(1 + i));
          }
        });
    return registerWriters;
  }

  /** So many moves, by one thread or by many, each of which goes on until it has made its part. */
  Workload workload(NamesComparison.Setting setting) throws Exception {
    WorkerThreads workerThreads = setting.threads() == 1 ? one : many;
    return setting.spread() ? spread(workerThreads) : hot(workerThreads);
  }

  private Workload hot(WorkerThreads workerThreads) throws Exception {
    List<S> states =
        new ArrayList<>(Collections.nCopies(workerThreads.threads(), registers.read(HOT)));
    return n -> {
      int part = part(n, workerThreads);
      workerThreads.run(
          thread -> {
            S state = states.get(thread);
            for (int made = 0; made < part; ) {
              Move<S> move = registers.move(HOT, state);
              state = move.now();
              made += move.made() ? 1 : 0;
            }
            states.set(thread, state);
          });
    };
  }

  private Workload spread(WorkerThreads workerThreads) {
    int[] last = new int[workerThreads.threads()];
    for (int thread = 0; thread < last.length; thread++) {
      last[thread] = thread;
    }
    return n -> {
      int part = part(n, workerThreads);
      workerThreads.run(
          thread -> {
            int i = last[thread];
            for (int made = 0; made < part; made++) {
              i = i + workerThreads.threads() < known.size() ? i + workerThreads.threads() : thread;
              Move<S> move = registers.move(1 + i, known.get(i));
              Expect.equal(1, move.made() ? 1 : 0);
              known.set(i, move.now());
            }
            last[thread] = i;
          });
    };
  }

  private static int part(int n, WorkerThreads workerThreads) {
    Expect.equal(0, n % workerThreads.threads());
    return n / workerThreads.threads();
  }

  @Override
  public void close() throws Exception {
    one.close();
    many.close();
    registers.close();
  }
}
