// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.Identity;
import io.tidemark.ledger.json.ValueForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first half of a SHA-256: what stands for an identity or a payload where only sameness
 * matters.
 */
record Digest(long high, long low) {

  private static final ThreadLocal<MessageDigest> SHA256 =
      ThreadLocal.withInitial(
          () -> {
            try {
              return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
              throw new IllegalStateException("every Java has SHA-256", e);
            }
          });

  static Digest of(Identity identity) {
    if (identity instanceof Identity.EntityKey entity) {
      return of(entity.key());
    }
    Identity.RelationKey relation = (Identity.RelationKey) identity;
    // With their lengths in front, no two triples are the same text.
    return of(
        relation.left().length()
            + ":"
            + relation.right().length()
            + ":"
            + relation.left()
            + relation.right()
            + relation.instance());
  }

  /**
   * Of a payload, by value.
   *
   * @throws IOException when it isn't JSON
   */
  static Digest ofPayload(String fieldsJson) throws IOException {
    return of(ValueForm.of(fieldsJson));
  }

  private static Digest of(String text) {
    ByteBuffer hash = ByteBuffer.wrap(SHA256.get().digest(text.getBytes(StandardCharsets.UTF_8)));
    return new Digest(hash.getLong(), hash.getLong());
  }
}
