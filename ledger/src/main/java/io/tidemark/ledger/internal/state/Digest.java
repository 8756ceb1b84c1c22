// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.parquet.PackedRow;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.objects.internal.json.NormalizedJsonBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * Digest of an identity or a payload where only sameness matters: 128 bits by a key that this
 * process has made up. Of no use to another process, and never stored.
 */
public record Digest(long high, long low) {

  private static final SipHash HASH = keyed(new SecureRandom());

  private static SipHash keyed(SecureRandom random) {
    return SipHash.sipHash13(random.nextLong(), random.nextLong());
  }

  public static Digest of(Identity identity) {
    byte[] bytes = PackedRow.identity(identity);
    return ofParts(bytes, 0, bytes.length);
  }

  /**
   * Returns the digest of an identity as {@link PackedRow} has it; part lengths tell parts apart.
   */
  public static Digest ofParts(byte[] bytes, int from, int to) {
    return HASH.of(bytes, from, to);
  }

  /**
   * Returns the digest of a payload, by value.
   *
   * @throws IOException when it isn't JSON
   */
  public static Digest ofPayload(String fieldsJson) throws IOException {
    byte[] bytes = fieldsJson.getBytes(StandardCharsets.UTF_8);
    NormalizedJsonBuffer value = new NormalizedJsonBuffer();
    value.read(bytes, 0, bytes.length);
    return ofPayload(value);
  }

  /** Returns the digest of a payload that has been read. */
  public static Digest ofPayload(NormalizedJsonBuffer value) {
    return HASH.of(value.array(), 0, value.length());
  }
}
