// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signature that proves that a holder of the secret sent an event, and when. It is {@code sha256=}
 * and in hexadecimal the HMAC-SHA256 over the timestamp, a dot and the body. The timestamp, in
 * seconds since 1970, is signed too, so that a receiver can reject replayed requests.
 */
public final class WebhookSignature {

  /** Header of the signature. */
  public static final String HEADER = "Tidemark-Signature";

  /** Header of the timestamp. */
  public static final String TIMESTAMP_HEADER = "Tidemark-Timestamp";

  private static final String SCHEME = "sha256=";
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /** Returns the signature of a body for a timestamp. */
  public static String sign(WebhookSecret webhookSecret, String timestamp, byte[] body) {
    return SCHEME + HexFormat.of().formatHex(mac(webhookSecret, timestamp, body));
  }

  /**
   * Returns whether a signature is valid. The receiver also has to check the age of the timestamp.
   */
  public static boolean verify(
      WebhookSecret webhookSecret, String timestamp, byte[] body, String signature) {
    byte[] expected = sign(webhookSecret, timestamp, body).getBytes(US_ASCII);
    return MessageDigest.isEqual(expected, signature.getBytes(US_ASCII));
  }

  private static byte[] mac(WebhookSecret webhookSecret, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(webhookSecret.bytes(), ALGORITHM));
      mac.update(timestamp.getBytes(US_ASCII));
      mac.update((byte) '.');
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
