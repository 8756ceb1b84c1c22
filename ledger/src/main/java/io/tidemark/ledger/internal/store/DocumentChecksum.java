// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * Checksum field of a document: the hash of all its other fields, by which a reader detects that a
 * byte of the document has changed. Documents without it are of other programs. It is no protection
 * against tampering, since an attacker can write both.
 *
 * <p>Only documents have one that other programs don't change in place, or that are worth nothing
 * once they do.
 */
final class DocumentChecksum {

  static final String FIELD = "seal_sha256";

  private DocumentChecksum() {}

  /** Adds the checksum to a document, in place of one that it has. */
  static ObjectNode add(ObjectNode json) {
    json.remove(FIELD);
    return json.put(FIELD, hash(json));
  }

  /** Returns whether a document has a checksum that doesn't match its content. */
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
