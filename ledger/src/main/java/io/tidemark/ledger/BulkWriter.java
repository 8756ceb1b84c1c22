// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.commit.FactBatch;
import io.tidemark.ledger.internal.commit.WriteBuffer;
import io.tidemark.objects.internal.threads.OrderedParallel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of many values as facts, which are queued in the order of the values; uses all cores when
 * there are many. If a value is invalid, the values before it are queued.
 *
 * <p>For use by one thread, which doesn't use the session for anything else meanwhile.
 */
public final class BulkWriter<T> implements AutoCloseable {

  /** Number of values that are encoded one by one before it is worth using other threads. */
  private static final int FEW = 1_024;

  private static final int FIRST_STEP = 256;
  private static final int LONGEST_STEP = 8_192;

  /** Approximate size of the facts that are made in one step. */
  private static final int STEP_BYTES = FactBatch.STEP;

  private final WriteBuffer queue;
  private final FactEncoder<T> factEncoder;
  private final OrderedParallel<EncodedBatch> making;
  private List<T> next = new ArrayList<>();
  private long nextBytes;
  private int step = FIRST_STEP;
  private int count;

  /** Encoder of a value that adds its fact to a batch, in any thread. */
  interface FactEncoder<T> {
    void make(T value, FactBatch batch);
  }

  /** Result of encoding some values: their facts, and the failure that ended it, if any. */
  private record EncodedBatch(FactBatch facts, @Nullable RuntimeException failure) {}

  BulkWriter(WriteBuffer queue, FactEncoder<T> factEncoder) {
    this.queue = queue;
    this.factEncoder = factEncoder;
    this.making = new OrderedParallel<>(this::queue);
  }

  /**
   * Adds a value.
   *
   * @param bytes approximate memory that the value takes; 0 when this writer doesn't hold it
   * @throws RuntimeException as thrown for this value or for one before it
   */
  public void add(T value, long bytes) {
    if (count < FEW) {
      count++;
      queue.add(batch -> factEncoder.make(value, batch));
      return;
    }
    next.add(value);
    nextBytes += bytes;
    if (next.size() >= step || nextBytes >= STEP_BYTES) {
      submit();
    }
  }

  /** Waits until all values that were added are queued. */
  public void finish() {
    if (!next.isEmpty()) {
      submit();
    }
    making.finish();
  }

  private void submit() {
    List<T> values = next;
    next = new ArrayList<>(step);
    nextBytes = 0;
    making.add(() -> encode(values));
  }

  private EncodedBatch encode(List<T> values) {
    FactBatch batch = FactBatch.ofMany();
    try {
      for (T value : values) {
        factEncoder.make(value, batch);
      }
    } catch (RuntimeException e) {
      return new EncodedBatch(batch, e);
    }
    return new EncodedBatch(batch.trimmed(), null);
  }

  private void queue(EncodedBatch encodedBatch) {
    if (encodedBatch.facts().size() > 0) {
      long each = Math.max(1, encodedBatch.facts().weight() / encodedBatch.facts().size());
      step = (int) Math.max(1, Math.min(LONGEST_STEP, STEP_BYTES / each));
      queue.addAll(encodedBatch.facts());
    }
    if (encodedBatch.failure() != null) {
      throw encodedBatch.failure();
    }
  }

  /** Discards what isn't queued yet. */
  @Override
  public void close() {
    making.close();
  }
}
