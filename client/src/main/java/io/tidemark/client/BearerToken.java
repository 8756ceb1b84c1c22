// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.StoreAccessException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bearer token that authenticates a client to a server. It appears in no text but the header that
 * it is sent in.
 */
public final class BearerToken {

  private static final String VARIABLE = "TIDEMARK_TOKEN";
  private static final String FILE_VARIABLE = "TIDEMARK_TOKEN_FILE";

  /** Characters of tokens, all of which are allowed in a header. */
  private static final Pattern FORM = Pattern.compile("[!-~]+");

  private final String secret;

  private BearerToken(String secret) {
    this.secret = secret;
  }

  /**
   * Returns the token with the given text.
   *
   * @param source origin of the token, for messages
   */
  public static BearerToken of(String secret, String source) {
    String stripped = secret.strip();
    if (!FORM.matcher(stripped).matches()) {
      throw new StoreAccessException(
          source + " has no token; one is a single word of plain characters");
    }
    return new BearerToken(stripped);
  }

  /** Returns the token that a file has, and nothing else. */
  public static BearerToken ofFile(Path file) {
    try {
      return of(Files.readString(file, StandardCharsets.US_ASCII), "the file " + file);
    } catch (IOException e) {
      throw new StoreAccessException(
          "can't read a token from " + file + " (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  /** Returns the token that the environment of this process has or names, if there is one. */
  public static Optional<BearerToken> ofEnvironment() {
    return of(System::getenv);
  }

  static Optional<BearerToken> of(UnaryOperator<@Nullable String> environment) {
    String secret = environment.apply(VARIABLE);
    if (secret != null && !secret.isBlank()) {
      return Optional.of(of(secret, VARIABLE));
    }
    String file = environment.apply(FILE_VARIABLE);
    return file == null || file.isBlank() ? Optional.empty() : Optional.of(ofFile(Path.of(file)));
  }

  /** Returns the value of the header. */
  String authorization() {
    return "Bearer " + secret;
  }

  @Override
  public String toString() {
    return "a token";
  }
}
