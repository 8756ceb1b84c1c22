// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.objects.internal.json.CanonicalJsonBuffer;
import java.util.Arrays;

/**
 * Fact as bytes, in arrays that are reused for the next fact, since objects for each of very many
 * facts would dominate the cost. As with {@link Fact}, its content fits its type and is in
 * canonical form; only this package fills it.
 */
public final class FactBytes {

  private static final int MOST_PARTS = 3;

  private final CanonicalJsonBuffer payload = new CanonicalJsonBuffer();
  private final int[] ends = new int[MOST_PARTS];
  private byte[] identity = new byte[64];
  private int parts;
  private TypeId type = TypeId.entity("none");

  /** Discards the content, and begins a fact of a type. */
  CanonicalJsonBuffer start(TypeId of) {
    type = of;
    parts = 0;
    payload.clear();
    return payload;
  }

  /** Adds a part of the identity, which has no half of a surrogate pair. */
  void part(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    part(utf8, 0, utf8.length);
  }

  /** Adds a part of the identity in UTF-8. */
  void part(byte[] utf8, int from, int to) {
    int start = end(parts - 1);
    int end = Math.addExact(start, to - from);
    if (end > identity.length) {
      identity = Arrays.copyOf(identity, Math.max(end, (int) Math.min(start * 2L, 1 << 30)));
    }
    System.arraycopy(utf8, from, identity, start, to - from);
    ends[parts++] = end;
  }

  /** Returns the type of the fact. */
  public TypeId type() {
    return type;
  }

  /** Returns the number of parts of its identity. */
  public int parts() {
    return parts;
  }

  /** Returns where a part of the identity ends in {@link #identity}; the next one begins there. */
  public int end(int part) {
    return part < 0 ? 0 : ends[part];
  }

  /** Returns the parts of the identity, in UTF-8. */
  public byte[] identity() {
    return identity;
  }

  /** Returns the payload. */
  public CanonicalJsonBuffer payload() {
    return payload;
  }

  /** Returns the fact as an object. */
  Fact fact() {
    Identity who = parts == 1 ? new EntityKey(text(0)) : new RelationKey(text(0), text(1), text(2));
    return new Fact(type, who, payload.toString());
  }

  private String text(int part) {
    return new String(identity, end(part - 1), end(part) - end(part - 1), UTF_8);
  }
}
