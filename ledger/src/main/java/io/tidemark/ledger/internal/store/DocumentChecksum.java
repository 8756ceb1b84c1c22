// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * A field of a document with the hash of all the others, by which a reader finds out that a byte of
 * it is another than was written. Documents without it are of other programs. It is no protection
 * against people, who can write both.
 *
 * <p>Only documents have one that other programs don't change in place, or that are worth nothing
 * once they do.
 */
final class DocumentChecksum {

  static final String FIELD = "seal_sha256";

  private DocumentChecksum() {}

  /** Seals a document, anew if it was. */
  static ObjectNode add(ObjectNode json) {
    json.remove(FIELD);
    return json.put(FIELD, hash(json));
  }

  /** Returns whether a document that was sealed isn't what it was. */
  static boolean isMismatched(ObjectNode json) {
    if (!json.has(FIELD)) {
      return false;
    }
    ObjectNode others = json.deepCopy();
    others.remove(FIELD);
    return !hash(others).equals(json.path(FIELD).textValue());
  }

  private static String hash(ObjectNode json) {
    return Sha256.hex(CanonicalJson.write(json));
  }
}
