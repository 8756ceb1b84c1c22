// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.Identity;
import io.tidemark.ledger.json.ValueForm;
import io.tidemark.ledger.parquet.PackedRow;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first half of a SHA-256: what stands for an identity or a payload where only sameness
 * matters.
 */
record Digest(long high, long low) {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final ThreadLocal<MessageDigest> SHA256 = ThreadLocal.withInitial(Digest::sha256);

  /** What digests are made by; for whoever makes very many. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static Digest of(Identity identity) {
    byte[] bytes = PackedRow.identity(identity);
    return ofParts(bytes, 0, bytes.length, SHA256.get());
  }

  /** Of an identity as {@link PackedRow} has it; the lengths of its parts tell them apart. */
  static Digest ofParts(byte[] bytes, int from, int to, MessageDigest sha256) {
    sha256.reset();
    sha256.update(bytes, from, to - from);
    return of(sha256);
  }

  /**
   * Of a payload, by value.
   *
   * @throws IOException when it isn't JSON
   */
  static Digest ofPayload(String fieldsJson) throws IOException {
    byte[] bytes = fieldsJson.getBytes(StandardCharsets.UTF_8);
    return ofPayload(bytes, 0, bytes.length, SHA256.get());
  }

  /**
   * Of a payload in UTF-8, by value.
   *
   * @throws IOException when it isn't JSON
   */
  static Digest ofPayload(byte[] json, int from, int to, MessageDigest sha256) throws IOException {
    sha256.reset(); // of what was fed before a payload turned out to be no JSON
    ValueForm.feed(json, from, to, (bytes, start, end) -> sha256.update(bytes, start, end - start));
    return of(sha256);
  }

  private static Digest of(MessageDigest sha256) {
    byte[] hash = sha256.digest();
    return new Digest((long) LONG.get(hash, 0), (long) LONG.get(hash, Long.BYTES));
  }
}
