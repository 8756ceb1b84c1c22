// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.FactBytes;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.NormalizedJsonBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Batch of facts in the order in which they were asserted, prepared for a queue. */
public final class FactBatch {

  /** Number of bytes of facts that are best encoded at a time. */
  public static final int STEP = FactBlock.FULL;

  private static final int FEW_BYTES = 512;

  private final int blockBytes;
  private final SortedMap<TypeId, List<FactBlock>> blocks = new TreeMap<>();
  private final FactBytes draft = new FactBytes();
  private final NormalizedJsonBuffer value = new NormalizedJsonBuffer();

  /** The block that took the last fact; null when it isn't known to be the last of its type. */
  private @Nullable FactBlock open;

  private TypeId openType = draft.type();

  /** Creates a batch for few facts, or for an unknown number. */
  public FactBatch() {
    this(FEW_BYTES);
  }

  private FactBatch(int bytes) {
    this.blockBytes = bytes;
  }

  /** Returns a batch for facts that take about {@link #STEP} bytes. */
  public static FactBatch ofMany() {
    return new FactBatch(FactBlock.ROOM);
  }

  private long size;
  private long weight;

  /**
   * Appends a fact.
   *
   * @throws io.tidemark.ledger.schema.InvalidValueException when its key can't be stored as it is
   */
  public void add(Fact fact) {
    FactBlock block = open(fact.type());
    long before = block.weight();
    block.add(fact, value);
    added(fact.type(), block, before);
  }

  /** Returns a buffer for the next fact, which {@link #addDraft} appends. */
  public FactBytes draft() {
    return draft;
  }

  /** Appends the draft as it is now. */
  public void addDraft() {
    FactBlock block = open(draft.type());
    long before = block.weight();
    block.add(draft, value);
    added(draft.type(), block, before);
  }

  /** Returns the block for the next fact of a type; a new block isn't registered yet. */
  private FactBlock open(TypeId type) {
    FactBlock last = open;
    if (last != null && openType.equals(type) && !last.isFull()) {
      return last;
    }
    List<FactBlock> some = of(type);
    boolean full = some.isEmpty() || some.get(some.size() - 1).isFull();
    return full ? new FactBlock(blockBytes) : some.get(some.size() - 1);
  }

  private void added(TypeId type, FactBlock block, long before) {
    boolean fresh = block.size() == 1;
    if (fresh) {
      blocks.computeIfAbsent(type, t -> new ArrayList<>()).add(block);
    }
    open = block;
    openType = type;
    weight += block.weight() - (fresh ? 0 : before);
    size++;
  }

  /** Appends the facts of another batch, which must not be used any more. */
  void addAll(FactBatch other) {
    other.blocks.forEach(
        (type, some) -> blocks.computeIfAbsent(type, t -> new ArrayList<>()).addAll(some));
    open = null;
    size += other.size;
    weight += other.weight;
  }

  /** Releases unused memory. */
  public FactBatch trimmed() {
    weight = 0;
    blocks.values().forEach(some -> some.forEach(block -> weight += block.trimmed().weight()));
    return this;
  }

  /** Returns the number of facts. */
  public long size() {
    return size;
  }

  /** Returns the memory that the facts take. */
  public long weight() {
    return weight;
  }

  Set<TypeId> types() {
    return blocks.keySet();
  }

  List<FactBlock> of(TypeId type) {
    return blocks.getOrDefault(type, List.of());
  }

  void clear() {
    blocks.clear();
    open = null;
    size = 0;
    weight = 0;
  }
}
