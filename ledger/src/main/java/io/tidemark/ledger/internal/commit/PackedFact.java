// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.parquet.PackedRow;
import io.tidemark.ledger.internal.state.Digest;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Fact as bytes: its length, the digests of its identity and its payload, and then both as {@link
 * PackedRow} has them. Facts are ordered by the bytes of their identities, which is the order of
 * identities, since the order of UTF-8 is that of code points.
 */
final class PackedFact {

  /** Number of bytes before the identity. */
  static final int HEAD = Integer.BYTES + 4 * Long.BYTES;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int at;

  /**
   * Creates a view of one of several facts.
   *
   * @param bytes not to be changed any more
   * @param at where the fact begins in them
   */
  PackedFact(byte[] bytes, int at) {
    this.bytes = bytes;
    this.at = at;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, at, length());
  }

  static int parts(TypeId type) {
    return type.kind() == TypeKind.ENTITY ? 1 : 3;
  }

  static void putHead(byte[] bytes, int at, int length, Digest identity, Digest payload) {
    INT.set(bytes, at, length);
    LONG.set(bytes, at + 4, identity.high());
    LONG.set(bytes, at + 12, identity.low());
    LONG.set(bytes, at + 20, payload.high());
    LONG.set(bytes, at + 28, payload.low());
  }

  static void putLength(byte[] bytes, int length) {
    INT.set(bytes, 0, length);
  }

  private int length() {
    return (int) INT.get(bytes, at);
  }

  Digest identityDigest() {
    return new Digest((long) LONG.get(bytes, at + 4), (long) LONG.get(bytes, at + 12));
  }

  Digest payloadDigest() {
    return new Digest((long) LONG.get(bytes, at + 20), (long) LONG.get(bytes, at + 28));
  }

  /** Compares the identities of two facts of a type, by the number of parts of its identities. */
  static int compare(PackedFact one, PackedFact other, int parts) {
    return compare(one.bytes, one.at, other.bytes, other.at, parts);
  }

  /** Compares the identities of two facts that begin at these places. */
  static int compare(byte[] one, int oneAt, byte[] other, int otherAt, int parts) {
    int a = oneAt + HEAD;
    int b = otherAt + HEAD;
    for (int part = 0; part < parts; part++) {
      int endA = PackedRow.next(one, a);
      int endB = PackedRow.next(other, b);
      int order =
          Arrays.compareUnsigned(one, a + Integer.BYTES, endA, other, b + Integer.BYTES, endB);
      if (order != 0) {
        return order;
      }
      a = endA;
      b = endB;
    }
    return 0;
  }

  Identity identity(TypeId type) {
    int first = at + HEAD;
    if (type.kind() == TypeKind.ENTITY) {
      return new EntityKey(PackedRow.text(bytes, first));
    }
    int second = PackedRow.next(bytes, first);
    int third = PackedRow.next(bytes, second);
    return new RelationKey(
        PackedRow.text(bytes, first), PackedRow.text(bytes, second), PackedRow.text(bytes, third));
  }

  Fact fact(TypeId type) {
    int payload = at + HEAD;
    for (int part = 0; part < parts(type); part++) {
      payload = PackedRow.next(bytes, payload);
    }
    return new Fact(type, identity(type), PackedRow.text(bytes, payload));
  }

  /** Returns the row by which a commit makes the fact true. */
  PackedRow row(long commitId, long schemaVersionId) {
    return new PackedRow(commitId, schemaVersionId, bytes, at + HEAD);
  }
}
