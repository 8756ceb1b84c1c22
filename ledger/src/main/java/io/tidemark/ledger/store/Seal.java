// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A field of a document with the hash of all the others, by which a reader finds out that a byte of
 * it is another than was written. Documents without it are of other programs. It is no protection
 * against people, who can write both.
 *
 * <p>Only documents have one that other programs don't change in place, or that are worth nothing
 * once they do.
 */
final class Seal {

  static final String FIELD = "seal_sha256";

  private Seal() {}

  /** Seals a document, anew if it was. */
  static ObjectNode on(ObjectNode json) {
    json.remove(FIELD);
    return json.put(FIELD, hash(json));
  }

  /** Whether a document that was sealed isn't what it was. */
  static boolean isBroken(ObjectNode json) {
    if (!json.has(FIELD)) {
      return false;
    }
    ObjectNode others = json.deepCopy();
    others.remove(FIELD);
    return !hash(others).equals(json.path(FIELD).textValue());
  }

  private static String hash(ObjectNode json) {
    try {
      byte[] bytes = CanonicalJson.write(json).getBytes(UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
