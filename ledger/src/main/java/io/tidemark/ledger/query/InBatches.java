// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes something of each of many things, by all processors, a batch at a time: so what they are
 * made of needn't be in memory as a whole.
 */
final class InBatches {

  private static final int BATCH = 8_192;

  /** Fewer aren't worth the time that it takes to divide them. */
  private static final int FEW = 512;

  private InBatches() {}

  /** What is made of each, in the same order. */
  static <A, B> List<B> map(Stream<A> all, Function<A, B> made) {
    List<B> result = new ArrayList<>();
    List<A> batch = new ArrayList<>();
    for (Iterator<A> next = all.iterator(); next.hasNext(); ) {
      batch.add(next.next());
      if (batch.size() == BATCH) {
        result.addAll(made(batch, made));
        batch.clear();
      }
    }
    result.addAll(made(batch, made));
    return Collections.unmodifiableList(result);
  }

  private static <A, B> List<B> made(List<A> batch, Function<A, B> made) {
    return (batch.size() < FEW ? batch.stream() : batch.parallelStream()).map(made).toList();
  }
}
