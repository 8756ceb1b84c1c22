// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.Fact;
import io.tidemark.ledger.Identity.EntityKey;
import io.tidemark.ledger.Identity.RelationKey;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.parquet.PackedRow;
import io.tidemark.ledger.schema.InvalidValueException;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Facts of one type in one array. A fact as objects takes several times the memory, and each of
 * them is in the way of the garbage collector for as long as it is queued.
 */
final class FactBlock {

  /** When a block is so large, the next fact gets another. */
  private static final int FULL = 1 << 20;

  private static final int FIRST_BYTES = 512;
  private static final int FIRST_FACTS = 4;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int[] starts = new int[FIRST_FACTS];
  private int length;
  private int size;

  int size() {
    return size;
  }

  boolean isFull() {
    return length >= FULL;
  }

  /** How much memory it takes. */
  long weight() {
    return bytes.length + 4L * starts.length;
  }

  PackedFact get(int index) {
    return new PackedFact(bytes, starts[index]);
  }

  /**
   * Adds a fact.
   *
   * @param sha256 for the digests
   * @throws InvalidValueException when its key can't be stored as it is
   */
  void add(Fact fact, MessageDigest sha256) {
    byte[] payload = fact.fieldsJson().getBytes(UTF_8);
    if (fact.identity() instanceof RelationKey key) {
      add(
          fact,
          sha256,
          payload,
          utf8(fact, key.left()),
          utf8(fact, key.right()),
          utf8(fact, key.instance()));
    } else {
      add(fact, sha256, payload, utf8(fact, ((EntityKey) fact.identity()).key()));
    }
  }

  private void add(Fact fact, MessageDigest sha256, byte[] payload, byte[]... identity) {
    int count = PackedFact.HEAD + Integer.BYTES + payload.length;
    for (byte[] part : identity) {
      count = Math.addExact(count, Integer.BYTES + part.length);
    }
    room(count);
    int at = length + PackedFact.HEAD;
    for (byte[] part : identity) {
      at = PackedRow.put(bytes, at, part, part.length);
    }
    int from = PackedRow.put(bytes, at, payload, payload.length) - payload.length;
    Digest who = Digest.ofParts(bytes, length + PackedFact.HEAD, at, sha256);
    Digest what = payloadDigest(fact, from, from + payload.length, sha256);
    PackedFact.putHead(bytes, length, count, who, what);
    starts[size++] = length;
    length += count;
  }

  private Digest payloadDigest(Fact fact, int from, int to, MessageDigest sha256) {
    try {
      return Digest.ofPayload(bytes, from, to, sha256);
    } catch (IOException e) {
      throw new IllegalStateException("a fact whose payload is no JSON: " + fact, e);
    }
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

  private void room(int count) {
    if (bytes.length - length < count) {
      int wanted = Math.addExact(length, count);
      bytes = Arrays.copyOf(bytes, (int) Math.max(wanted, Math.min(length * 2L, FULL + FULL / 8)));
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size + (size >> 1) + 1);
    }
  }

  /** Gives back the memory that isn't used. */
  FactBlock trimmed() {
    if (bytes.length - length > length / 8) {
      bytes = Arrays.copyOf(bytes, length);
      starts = Arrays.copyOf(starts, size);
    }
    return this;
  }
}
