// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of bytes that come in pieces. Not safe for use by several threads. */
public final class Sha256 {

  private final MessageDigest digest;

  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Returns the hash of some bytes. */
  public static byte[] of(byte[] bytes) {
    Sha256 hash = new Sha256();
    hash.update(bytes);
    return hash.bytes();
  }

  /** Returns the hash of a text's UTF-8 bytes, in lower-case hex. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text.getBytes(UTF_8)));
  }

  /** Adds a byte. */
  public void update(byte b) {
    digest.update(b);
  }

  /** Adds bytes. */
  public void update(byte[] bytes) {
    digest.update(bytes);
  }

  /** Adds a range of bytes. */
  public void update(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
  }

  /** Adds the remaining bytes of a buffer. */
  public void update(ByteBuffer bytes) {
    digest.update(bytes);
  }

  /** Returns a stream that adds every byte that is read from it. */
  public InputStream reading(InputStream in) {
    return new DigestInputStream(in, digest);
  }

  /** Returns the hash of all bytes added since the last result, and starts anew. */
  public byte[] bytes() {
    return digest.digest();
  }

  /** Returns {@link #bytes} in lower-case hex. */
  public String hex() {
    return HexFormat.of().formatHex(bytes());
  }
}
