// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

/** Somebody who answers questions. */
@FunctionalInterface
interface QueryRunner {

  /**
   * Answers a question.
   *
   * @param customer the number of the customer, where it is about one
   */
  long answer(BenchQuery benchQuery, long customer) throws Exception;
}
