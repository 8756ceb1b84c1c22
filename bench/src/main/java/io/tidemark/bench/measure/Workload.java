// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

/** Something to be timed. */
@FunctionalInterface
public interface Workload {
  /** Does the thing so many times, one after the other or not. */
  void run(int operations) throws Exception;
}
