// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.internal.parquet.PackedRow;
import io.tidemark.ledger.internal.state.Digest;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.FactBytes;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.internal.json.CanonicalJsonBuffer;
import io.tidemark.objects.internal.json.NormalizedJsonBuffer;
import java.io.IOException;
import java.util.Arrays;

/**
 * Block of facts of one type in one array. A fact as objects takes several times the memory, and
 * each object burdens the garbage collector for as long as it is queued.
 */
final class FactBlock {

  /**
   * Size at which the next fact gets another block: a little less than a power of two, since the
   * collector gives an array of this size whole regions of memory, of such a size, to itself.
   */
  static final int FULL = (1 << 20) - (1 << 17);

  /** Initial capacity of a block that will be filled. */
  static final int ROOM = (1 << 20) - 64;

  private static final int FIRST_FACTS = 4;

  private byte[] bytes;
  private int[] starts = new int[FIRST_FACTS];
  private int length;
  private int size;

  /** Creates an empty block, which grows beyond this number of bytes if it has to. */
  FactBlock(int capacity) {
    this.bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return length >= FULL;
  }

  /** Returns the memory that the block takes. */
  long weight() {
    return bytes.length + 4L * starts.length;
  }

  /** Returns the array with its facts; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns where a fact begins. */
  int start(int index) {
    return starts[index];
  }

  /**
   * Adds a fact.
   *
   * @param value buffer for its normalised value
   * @throws InvalidValueException when its key can't be stored as it is
   */
  void add(Fact fact, NormalizedJsonBuffer value) {
    byte[] payload = fact.fieldsJson().getBytes(UTF_8);
    try {
      value.read(payload, 0, payload.length);
    } catch (IOException e) {
      throw new IllegalStateException("a fact whose payload is no JSON: " + fact, e);
    }
    int at = length + PackedFact.HEAD;
    if (fact.identity() instanceof RelationKey key) {
      byte[] left = utf8(fact, key.left());
      byte[] right = utf8(fact, key.right());
      byte[] instance = utf8(fact, key.instance());
      room(payload.length, left.length, right.length, instance.length);
      at = PackedRow.put(bytes, at, left, 0, left.length);
      at = PackedRow.put(bytes, at, right, 0, right.length);
      at = PackedRow.put(bytes, at, instance, 0, instance.length);
    } else {
      byte[] key = utf8(fact, ((EntityKey) fact.identity()).key());
      room(payload.length, key.length);
      at = PackedRow.put(bytes, at, key, 0, key.length);
    }
    end(at, PackedRow.put(bytes, at, payload, 0, payload.length), value);
  }

  /**
   * Adds a fact that is encoded already.
   *
   * @param value buffer for its normalised value
   */
  void add(FactBytes fact, NormalizedJsonBuffer value) {
    CanonicalJsonBuffer payload = fact.payload();
    value.read(payload);
    room(payload.length(), fact.end(fact.parts() - 1), Integer.BYTES * (fact.parts() - 1));
    int at = length + PackedFact.HEAD;
    for (int part = 0; part < fact.parts(); part++) {
      at = PackedRow.put(bytes, at, fact.identity(), fact.end(part - 1), fact.end(part));
    }
    end(at, PackedRow.put(bytes, at, payload.array(), 0, payload.length()), value);
  }

  private void end(int payload, int end, NormalizedJsonBuffer value) {
    Digest who = Digest.ofParts(bytes, length + PackedFact.HEAD, payload);
    PackedFact.putHead(bytes, length, end - length, who, Digest.ofPayload(value));
    starts[size++] = length;
    length = end;
  }

  private static byte[] utf8(Fact fact, String key) {
    byte[] encoded = key.getBytes(UTF_8);
    // Half of a surrogate pair comes back as a question mark.
    if (encoded.length != key.length() && !new String(encoded, UTF_8).equals(key)) {
      throw new InvalidValueException(
          "the key "
              + CanonicalJson.write(TextNode.valueOf(fact.identity().toString()))
              + " of "
              + fact.type()
              + " has half of a surrogate pair; take whole characters");
    }
    return encoded;
  }

  /** Ensures capacity for a fact with parts of these lengths. */
  private void room(int... parts) {
    int count = PackedFact.HEAD;
    for (int part : parts) {
      count = Math.addExact(count, Integer.BYTES + part);
    }
    if (bytes.length - length < count) {
      int wanted = Math.addExact(length, count);
      bytes = Arrays.copyOf(bytes, (int) Math.max(wanted, Math.min(length * 2L, ROOM)));
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size + (size >> 1) + 1);
    }
  }

  /** Releases unused memory. */
  FactBlock trimmed() {
    if (bytes.length - length > length / 8) {
      bytes = Arrays.copyOf(bytes, length);
      starts = Arrays.copyOf(starts, size);
    }
    return this;
  }
}
