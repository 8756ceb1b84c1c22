// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.objects.internal.hash.Sha256;

/**
 * Content ids of manifests: CIDs of version 1, of JSON, by SHA-256, in base32. Written by hand
 * because no library for them is available, and this one form is three bytes and a hash.
 */
public final class Cid {

  /** Version 1; multicodec json (0x0200 as a varint); multihash sha2-256 of 32 bytes. */
  private static final byte[] HEADER = {1, (byte) 0x80, 4, 0x12, 0x20};

  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

  private Cid() {}

  public static String ofJson(byte[] json) {
    byte[] hash = Sha256.of(json);
    byte[] bytes = new byte[HEADER.length + hash.length];
    System.arraycopy(HEADER, 0, bytes, 0, HEADER.length);
    System.arraycopy(hash, 0, bytes, HEADER.length, hash.length);
    return "b" + base32(bytes);
  }

  private static String base32(byte[] bytes) {
    StringBuilder out = new StringBuilder(bytes.length * 8 / 5 + 1);
    int buffer = 0;
    int bits = 0;
    for (byte b : bytes) {
      buffer = (buffer << 8) | (b & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        out.append(BASE32.charAt((buffer >> bits) & 31));
      }
      buffer &= (1 << bits) - 1;
    }
    if (bits > 0) {
      out.append(BASE32.charAt((buffer << (5 - bits)) & 31));
    }
    return out.toString();
  }
}
