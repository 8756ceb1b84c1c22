// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves that an event was sent by somebody who has the secret, and when: {@code sha256=} and in
 * hexadecimal the HMAC-SHA256 over the timestamp, a dot and the body. The timestamp, in seconds
 * since 1970, is signed too, so that a receiver can turn away what somebody has recorded and sends
 * again.
 */
public final class Signature {

  /** The header that has the signature. */
  public static final String HEADER = "Tidemark-Signature";

  /** The header that has the timestamp. */
  public static final String TIMESTAMP_HEADER = "Tidemark-Timestamp";

  private static final String SCHEME = "sha256=";
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /** The signature of a body that is sent at some time. */
  public static String sign(Secret secret, String timestamp, byte[] body) {
    return SCHEME + HexFormat.of().formatHex(mac(secret, timestamp, body));
  }

  /**
   * Whether something received is ours.
   *
   * @param received what the headers and the body say
   * @param tolerance how old it may be, or how far clocks may differ
   */
  public static boolean verify(Secret secret, Received received, Instant now, Duration tolerance) {
    String expected = sign(secret, received.timestamp(), received.body());
    boolean same =
        MessageDigest.isEqual(expected.getBytes(US_ASCII), received.signature().getBytes(US_ASCII));
    return same
        && Duration.between(Instant.ofEpochSecond(Long.parseLong(received.timestamp())), now)
                .abs()
                .compareTo(tolerance)
            <= 0;
  }

  /**
   * A request as it was received.
   *
   * @param timestamp the text of {@value #TIMESTAMP_HEADER}
   * @param signature the text of {@value #HEADER}
   */
  public record Received(String timestamp, String signature, byte[] body) {
    public Received {
      body = body.clone();
    }

    @Override
    public byte[] body() {
      return body.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Received that
          && timestamp.equals(that.timestamp)
          && signature.equals(that.signature)
          && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
      return signature.hashCode();
    }
  }

  private static byte[] mac(Secret secret, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.bytes(), ALGORITHM));
      mac.update(timestamp.getBytes(US_ASCII));
      mac.update((byte) '.');
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
