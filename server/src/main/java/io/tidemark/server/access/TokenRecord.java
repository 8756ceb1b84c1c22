// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.hash.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Stored form of a token, without its secret. The secret has 256 bits of entropy, so a plain
 * SHA-256 reveals nothing; slow hashes are for passwords that people choose.
 *
 * @param name name of the owner
 * @param id public part of the token, by which it is looked up
 * @param sha256 hash of the whole token
 * @param grants grants of the owner
 * @param created time of creation
 * @param expires time from which the token is invalid, if there is one
 */
public record TokenRecord(
    String name,
    String id,
    String sha256,
    List<Grant> grants,
    Instant created,
    Optional<Instant> expires) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{12}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final int SECRET_BYTES = 32;
  private static final int ID_BYTES = 6;
  private static final JsonMapper JSON = new JsonMapper();

  /** New token with its secret, which isn't stored. */
  public record NewToken(TokenRecord token, String secret) {

    /** Returns a text without the secret, since it may be logged. */
    @Override
    public String toString() {
      return "Fresh[" + token + "]";
    }
  }

  public TokenRecord {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidAccessException(
          "a token can't be named \"%s\"; use up to 64 letters, digits, '.', '_', '@' and '-'"
              .formatted(name));
    }
    if (!ID.matcher(id).matches() || !HASH.matcher(sha256).matches()) {
      throw new InvalidAccessException(
          "the token %s has an id or a hash that isn't one; create it anew".formatted(name));
    }
    grants = List.copyOf(grants);
  }

  /** Creates a token with a random secret. */
  public static NewToken create(
      String name, List<Grant> grants, Instant now, Optional<Instant> expires) {
    SecureRandom random = new SecureRandom();
    byte[] id = new byte[ID_BYTES];
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(id);
    random.nextBytes(secret);
    String shown = HexFormat.of().formatHex(id);
    String whole =
        "tm_" + shown + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    return new NewToken(
        new TokenRecord(name, shown, Sha256.hex(whole), grants, now, expires), whole);
  }

  /** Returns the public part of a token; empty if the text isn't a token of this kind. */
  static Optional<String> id(String token) {
    int end = token.indexOf('_', 3);
    return token.startsWith("tm_") && end > 0
        ? Optional.of(token.substring(3, end))
        : Optional.empty();
  }

  /** Returns whether a presented token is this one, in constant time. */
  boolean matches(String presented) {
    return MessageDigest.isEqual(
        Sha256.hex(presented).getBytes(StandardCharsets.US_ASCII),
        sha256.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns the line of this token in the file. */
  String toLine() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name).put("id", id).put("sha256", sha256);
    grants.forEach(grant -> json.withArray("grants").add(grant.toString()));
    json.put("created", created.toString());
    expires.ifPresent(moment -> json.put("expires", moment.toString()));
    return json.toString();
  }

  /**
   * Parses a line of the file.
   *
   * @throws InvalidAccessException if the line is malformed. The message doesn't quote the line,
   *     which may contain a misplaced secret
   */
  static TokenRecord parseLine(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      List<Grant> grants = new ArrayList<>();
      for (JsonNode grant : json.path("grants")) {
        grants.addAll(Grant.parse(grant.asText()));
      }
      String expires = json.path("expires").asText("");
      return new TokenRecord(
          json.path("name").asText(),
          json.path("id").asText(),
          json.path("sha256").asText(),
          grants,
          Instant.parse(json.path("created").asText()),
          expires.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(expires)));
    } catch (JsonProcessingException e) {
      throw new InvalidAccessException("the line is no JSON");
    } catch (DateTimeException e) {
      throw new InvalidAccessException("the line has a time that isn't one");
    }
  }
}
