// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.parquet.PackedRow;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.objects.internal.json.NormalizedJsonBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * What stands for an identity or a payload where only sameness matters: 128 bits by a key that this
 * process has made up. Of no use to any other, and never stored.
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

  /** Of an identity as {@link PackedRow} has it; the lengths of its parts tell them apart. */
  public static Digest ofParts(byte[] bytes, int from, int to) {
    return HASH.of(bytes, from, to);
  }

  /**
   * Of a payload, by value.
   *
   * @throws IOException when it isn't JSON
   */
  public static Digest ofPayload(String fieldsJson) throws IOException {
    byte[] bytes = fieldsJson.getBytes(StandardCharsets.UTF_8);
    NormalizedJsonBuffer value = new NormalizedJsonBuffer();
    value.read(bytes, 0, bytes.length);
    return ofPayload(value);
  }

  /** Of a payload that has been read. */
  public static Digest ofPayload(NormalizedJsonBuffer value) {
    return HASH.of(value.array(), 0, value.length());
  }
}
