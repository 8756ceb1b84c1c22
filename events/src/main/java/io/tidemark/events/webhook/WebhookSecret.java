// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Secret that sender and receiver of signed events share. Never shown. */
public final class WebhookSecret {
  private static final int LEAST_BYTES = 16;

  private final byte[] bytes;

  private WebhookSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Creates a secret of at least 16 bytes of UTF-8. */
  public static WebhookSecret of(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a secret of " + bytes.length + " bytes can be guessed; use " + LEAST_BYTES + " or more");
    }
    return new WebhookSecret(bytes);
  }

  byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "Secret";
  }
}
