// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the payload and watermark arguments. Its errors name the concern in full, as the text
 * alone doesn't say where it belongs.
 */
final class PayloadArgument {

  private static final String STANDARD_INPUT = "-";

  private PayloadArgument() {}

  /**
   * Reads a payload.
   *
   * @param text the JSON, or {@code -} to read it from standard input; null for no payload
   */
  static Optional<Payload> payload(String concern, Address address, @Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Payload.parse(text.equals(STANDARD_INPUT) ? standardInput() : text));
    } catch (InvalidPayloadException e) {
      throw new InvalidPayloadException(
          "the " + concern + " of " + address + " stays as it is: " + e.getMessage(), e);
    }
  }

  /** Reads a watermark. */
  static long watermark(String concern, Address address, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new InvalidPayloadException(
          "the "
              + concern
              + " of "
              + address
              + " can't be moved to \""
              + text
              + "\"; a watermark is a whole number from 0 to "
              + Long.MAX_VALUE,
          e);
    }
  }

  private static String standardInput() {
    try {
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the payload from standard input", e);
    }
  }
}
