// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.WorkerThreads;

/** Events from the one who publishes them to the one who is through with them. */
interface EventPipeline extends AutoCloseable {

  /** How many events a worker asks for at a time. */
  int AT_A_TIME = 16;

  /** Publishes so many events and handles them, shared between the workers. */
  void run(int events, WorkerThreads workers) throws Exception;
}
