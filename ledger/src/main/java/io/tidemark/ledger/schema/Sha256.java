// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes of text. */
final class Sha256 {

  private Sha256() {}

  /** The hash of the text's UTF-8 bytes, in lower-case hex. */
  static String hex(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
