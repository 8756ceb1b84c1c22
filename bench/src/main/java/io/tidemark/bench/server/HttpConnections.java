// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.bench.measure.Workload;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** As many connections as there are threads, and how long each answer took. */
final class HttpConnections implements AutoCloseable {

  /** What one connection does, so many times. */
  interface Share {
    void run(HttpConnection httpConnection, int times) throws IOException;
  }

  private final WorkerThreads workerThreads;
  private final List<HttpConnection> wires = new ArrayList<>();
  private final List<Double> micros = Collections.synchronizedList(new ArrayList<>());

  HttpConnections(URI server, WorkerThreads workerThreads) throws Exception {
    this.workerThreads = workerThreads;
    for (int i = 0; i < workerThreads.threads(); i++) {
      wires.add(new HttpConnection(server));
    }
  }

  void require(int wire, byte[] request) throws IOException {
    wires.get(wire).require(request);
  }

  /** Each of which has to be done. */
  Workload each(IntFunction<byte[]> request) {
    return operations -> run(operations, request, Optional.empty());
  }

  /**
   * Of which some may come too late, and are told so.
   *
   * @param late is called for each of those
   */
  Workload anyOf(IntFunction<byte[]> request, Runnable late) {
    return operations -> run(operations, request, Optional.of(late));
  }

  /** Where each connection does its share as it likes. */
  Workload all(Share share) {
    return operations ->
        workerThreads.run(
            thread -> share.run(wires.get(thread), workerThreads.share(operations, thread)));
  }

  private void run(int operations, IntFunction<byte[]> request, Optional<Runnable> late)
      throws Exception {
    workerThreads.run(
        thread -> {
          HttpConnection httpConnection = wires.get(thread);
          List<Double> own = new ArrayList<>();
          for (int i = workerThreads.share(operations, thread); i > 0; i--) {
            byte[] bytes = request.apply(thread);
            long start = System.nanoTime();
            int status = httpConnection.ask(bytes);
            if (status == 409 && late.isPresent()) {
              late.get().run();
            } else if (status / 100 != 2) {
              throw new IOException(status + ": " + httpConnection.text());
            }
            own.add((System.nanoTime() - start) / 1e3);
          }
          micros.addAll(own);
        });
  }

  /** Tells how long answers took since it was last asked. */
  void reportTimes(Report report, String whose) {
    report.reportTime("  " + whose + "half of them within", percentile(0.50));
    report.reportTime("  " + whose + "99 of 100 within", percentile(0.99));
    micros.clear();
  }

  private double percentile(double part) {
    List<Double> sorted = micros.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
  }

  @Override
  public void close() throws Exception {
    for (HttpConnection httpConnection : wires) {
      httpConnection.close();
    }
  }
}
