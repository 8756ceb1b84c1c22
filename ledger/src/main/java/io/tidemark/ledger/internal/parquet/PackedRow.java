// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Row;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A row as bytes: the parts of its identity and then its payload, each in UTF-8 with its length in
 * four bytes before it. That is how many rows are kept and sorted on their way into a file, since
 * objects for each part would cost several times as much.
 */
public final class PackedRow {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final long commitId;
  private final long schemaVersionId;
  private final byte[] bytes;
  private final int at;

  /**
   * Wraps a row that is bytes already.
   *
   * @param bytes not to be changed any more
   * @param at where the row begins in them
   */
  public PackedRow(long commitId, long schemaVersionId, byte[] bytes, int at) {
    this.commitId = commitId;
    this.schemaVersionId = schemaVersionId;
    this.bytes = bytes;
    this.at = at;
  }

  long commitId() {
    return commitId;
  }

  long schemaVersionId() {
    return schemaVersionId;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns where the row begins in its bytes. */
  int at() {
    return at;
  }

  /** Returns where a part of a row begins; behind those of the identity comes the payload. */
  static int part(byte[] bytes, int at, int number) {
    int start = at;
    for (int i = 0; i < number; i++) {
      start = next(bytes, start);
    }
    return start;
  }

  static PackedRow of(Row row) {
    byte[] identity = identity(row.identity());
    byte[] payload = row.fieldsJson().getBytes(StandardCharsets.UTF_8);
    byte[] bytes =
        Arrays.copyOf(identity, Math.addExact(identity.length, Integer.BYTES + payload.length));
    put(bytes, identity.length, payload, 0, payload.length);
    return new PackedRow(row.commitId(), row.schemaVersionId(), bytes, 0);
  }

  /** Returns the parts of an identity. */
  public static byte[] identity(Identity identity) {
    if (identity instanceof EntityKey entity) {
      return packed(entity.key().getBytes(StandardCharsets.UTF_8));
    }
    RelationKey relation = (RelationKey) identity;
    return packed(
        relation.left().getBytes(StandardCharsets.UTF_8),
        relation.right().getBytes(StandardCharsets.UTF_8),
        relation.instance().getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] packed(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, Integer.BYTES + part.length);
    }
    byte[] bytes = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      at = put(bytes, at, part, 0, part.length);
    }
    return bytes;
  }

  /**
   * Copies a part to where it belongs.
   *
   * @return where the next one belongs
   */
  public static int put(byte[] bytes, int at, byte[] source, int from, int to) {
    INT.set(bytes, at, to - from);
    System.arraycopy(source, from, bytes, at + Integer.BYTES, to - from);
    return at + Integer.BYTES + to - from;
  }

  /** Returns how long the part is that begins there. */
  public static int length(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  /** Returns the part that begins there, as text. */
  public static String text(byte[] bytes, int at) {
    return new String(bytes, at + Integer.BYTES, length(bytes, at), StandardCharsets.UTF_8);
  }

  /** Returns where the part behind this one begins. */
  public static int next(byte[] bytes, int at) {
    return at + Integer.BYTES + length(bytes, at);
  }
}
