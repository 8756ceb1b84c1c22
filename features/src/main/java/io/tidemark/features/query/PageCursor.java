// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.InvalidRequestException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Position at which a page ended, and the snapshot it was of. Callers get it as signed text that
 * only its own storage accepts, and only with the same query. The text is as long as the sort
 * values of the position, and no length is too long: text without a valid signature isn't parsed.
 *
 * @param moment the snapshot of all pages
 * @param version the last transaction that counts; a query for a time gets the same on every page,
 *     though the log may get transactions of that time meanwhile
 * @param place the values of the last row in the columns it was sorted by
 * @param collection the number of its collection in the query
 */
public record PageCursor(PageSnapshot moment, long version, List<String> place, int collection) {

  private static final int SIGNED = 16;
  private static final ObjectMapper JSON = new ObjectMapper();

  public PageCursor {
    place = List.copyOf(place);
  }

  /** Returns the handle as callers get it. */
  public String encode(FeatureQuery query, String secret) {
    ObjectNode fields = JSON.createObjectNode();
    fields.put("s", moment.snapshot()).put("d", moment.firstTxn()).put("n", moment.seen());
    fields.put("v", version).put("c", collection);
    fields.set("k", JSON.valueToTree(place));
    byte[] content = fields.toString().getBytes(UTF_8);
    byte[] whole = Arrays.copyOf(signature(content, query, secret), SIGNED + content.length);
    System.arraycopy(content, 0, whole, SIGNED, content.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /** Parses and verifies a handle that a caller gives back. */
  public static PageCursor parse(String text, FeatureQuery query, String secret) {
    byte[] whole = decoded(text);
    if (whole.length <= SIGNED) {
      throw refused(null);
    }
    byte[] content = Arrays.copyOfRange(whole, SIGNED, whole.length);
    byte[] signature = Arrays.copyOf(whole, SIGNED);
    if (!MessageDigest.isEqual(signature, signature(content, query, secret))) {
      throw refused(null);
    }
    try {
      JsonNode fields = JSON.readTree(content);
      List<String> place = new ArrayList<>();
      fields.path("k").forEach(value -> place.add(value.asText()));
      return new PageCursor(
          new PageSnapshot(
              fields.path("s").asText(), fields.path("d").asLong(), fields.path("n").asLong()),
          fields.path("v").asLong(),
          place,
          fields.path("c").asInt());
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /** Signs the content together with the query, so that a handle fits no other query. */
  private static byte[] signature(byte[] content, FeatureQuery query, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
      mac.update(query.fingerprint().getBytes(UTF_8));
      mac.update((byte) 0);
      return Arrays.copyOf(mac.doFinal(content), SIGNED);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static InvalidRequestException refused(@Nullable Exception cause) {
    return new InvalidRequestException(
        "the handle was changed, or belongs to another query or storage; give back the one of the"
            + " last page with the same query, or begin anew without one",
        cause);
  }
}
