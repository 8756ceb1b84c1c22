// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.Fact;
import io.tidemark.ledger.schema.TypeId;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Facts in the order in which they were asserted, made ready for a queue. */
public final class FactBatch {

  private final SortedMap<TypeId, List<FactBlock>> blocks = new TreeMap<>();
  private final MessageDigest sha256 = Digest.sha256();
  private long size;
  private long weight;

  /**
   * Adds a fact behind all others.
   *
   * @throws io.tidemark.ledger.schema.InvalidValueException when its key can't be stored as it is
   */
  public void add(Fact fact) {
    List<FactBlock> some = blocks.computeIfAbsent(fact.type(), t -> new ArrayList<>());
    if (some.isEmpty() || some.get(some.size() - 1).isFull()) {
      FactBlock fresh = new FactBlock();
      fresh.add(fact, sha256);
      some.add(fresh);
      weight += fresh.weight();
    } else {
      FactBlock last = some.get(some.size() - 1);
      weight -= last.weight();
      last.add(fact, sha256);
      weight += last.weight();
    }
    size++;
  }

  /** Adds what another one has, which is not to be used any more. */
  void addAll(FactBatch other) {
    other.blocks.forEach(
        (type, some) -> blocks.computeIfAbsent(type, t -> new ArrayList<>()).addAll(some));
    size += other.size;
    weight += other.weight;
  }

  /** Gives back the memory that isn't used. */
  public FactBatch trimmed() {
    weight = 0;
    blocks.values().forEach(some -> some.forEach(block -> weight += block.trimmed().weight()));
    return this;
  }

  /** How many facts there are. */
  public long size() {
    return size;
  }

  /** How much memory they take. */
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
    size = 0;
    weight = 0;
  }
}
