// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.JsonErrors;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reader and writer of JSON with the rules of the database: exact numbers, and texts without NUL.
 */
public final class GeoJson {

  private static final int MOST_CHARS = 16 << 20;
  private static final int MOST_BYTES = 16 << 20;
  private static final int DEEPEST = 100;

  /** PostgreSQL's numeric ends far beyond; no real number has so many digits. */
  private static final int MOST_DIGITS = 1_000;

  /** A document that can be written again is less than 1,000 deep, including its envelope. */
  private static final int DEEPEST_KEPT = 900;

  private static final JsonMapper SENT =
      reading(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(MOST_DIGITS)
                  .maxStringLength(MOST_CHARS)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * Stored documents must be readable, whatever wrote them: one row is on a page with other rows.
   */
  private static final JsonMapper KEPT =
      reading(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST_KEPT)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private GeoJson() {}

  private static JsonMapper.Builder reading(StreamReadConstraints limits) {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(limits).build())
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
  }

  /** Parses an object that comes from the database or from trusted code. */
  public static ObjectNode object(String text) {
    return object(KEPT, text);
  }

  private static ObjectNode object(JsonMapper mapper, String text) {
    try {
      if (mapper.readTree(text) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw refused("is no JSON: " + JsonErrors.reason(e), e);
    }
    throw refused("is no JSON object", null);
  }

  /** Parses any value that comes from the database. */
  public static JsonNode value(String text) {
    try {
      return KEPT.readTree(text);
    } catch (JsonProcessingException e) {
      throw refused("is no JSON: " + JsonErrors.reason(e), e);
    }
  }

  /** Parses an object from client text, and checks that the database can store it. */
  public static ObjectNode parseInput(String text) {
    if (text.length() > MOST_CHARS && PostgresText.length(text) > MOST_CHARS) {
      throw tooLong(PostgresText.length(text));
    }
    return checked(object(SENT, text));
  }

  /** Parses an object from client text in UTF-8; malformed bytes are refused. */
  public static ObjectNode parseInput(byte[] utf8) {
    if (utf8.length > MOST_BYTES) {
      throw refused("has " + utf8.length + " bytes; at most " + MOST_BYTES + " are taken", null);
    }
    try {
      if (SENT.readTree(utf8) instanceof ObjectNode object) {
        return checked(object);
      }
    } catch (IOException e) {
      throw refused(reason(e), e);
    }
    throw refused("is no JSON object", null);
  }

  /** Checks that the database can store an object that the caller has built. */
  public static ObjectNode checked(ObjectNode object) {
    check(object, 1);
    return object;
  }

  /**
   * Returns the object, if its text isn't longer than the limit for input. Making that text takes
   * longer than to see that it can't be.
   */
  public static ObjectNode requireLength(ObjectNode object) {
    if (mostChars(object) > MOST_CHARS) {
      String text = object.toString();
      if (PostgresText.length(text) > MOST_CHARS) {
        throw tooLong(PostgresText.length(text));
      }
    }
    return object;
  }

  /**
   * Returns an upper bound of the text's length: six for each character of a text, its length when
   * escaped.
   */
  private static long mostChars(JsonNode node) {
    long most = 2;
    if (node.isTextual()) {
      most += 6L * node.textValue().length();
    } else if (node.isBigDecimal() || node.isBigInteger()) {
      BigDecimal number = node.decimalValue();
      most += number.precision() + Math.abs((long) number.scale()) + 20;
    } else if (node.isValueNode()) {
      most += 25;
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      most += 6L * names.next().length() + 4;
    }
    for (JsonNode part : node) {
      most += mostChars(part) + 1;
    }
    return most;
  }

  /** Returns the text of an object in UTF-8, for the database. */
  public static byte[] bytes(ObjectNode object) {
    try {
      return SENT.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw refused("can't be written: " + JsonErrors.reason(e), e);
    }
  }

  private static void check(JsonNode node, int depth) {
    if (depth > DEEPEST) {
      throw refused("is nested more than " + DEEPEST + " deep; take it apart", null);
    }
    if (node.isTextual()) {
      checkText(node.textValue());
    } else if (node.isNumber()) {
      checkNumber(node);
    }
    if (node.isContainerNode()) {
      node.fieldNames().forEachRemaining(GeoJson::checkText);
      for (JsonNode part : node) {
        check(part, part.isContainerNode() ? depth + 1 : depth);
      }
    }
  }

  /** Checks that the number, written out as the database does, would be accepted as input. */
  private static void checkNumber(JsonNode node) {
    if (node.isBigDecimal() || node.isBigInteger()) {
      BigDecimal number = node.decimalValue();
      long whole = (long) number.precision() - number.scale();
      if (Math.max(whole, 1) + Math.max(number.scale(), 0) > MOST_DIGITS) {
        throw refused(
            "holds the number %s, which has more than %d digits; give it as a text"
                .formatted(shown(number), MOST_DIGITS),
            null);
      }
    } else if (!Double.isFinite(node.doubleValue())) {
      throw refused("holds the number " + node + ", which JSON doesn't have", null);
    }
  }

  private static String shown(BigDecimal number) {
    String text = number.toString();
    return text.length() > 50 ? text.substring(0, 50) + "…" : text;
  }

  private static void checkText(String text) {
    if (text.indexOf('\0') >= 0) {
      throw refused("holds a text with the character NUL, which PostgreSQL can't keep", null);
    }
    if (PostgresText.hasLoneSurrogate(text)) {
      throw refused("holds a text with half a character, which no UTF-8 can express", null);
    }
  }

  private static String reason(IOException e) {
    return e instanceof JsonProcessingException json
        ? "is no JSON: " + JsonErrors.reason(json)
        : "is no text in UTF-8: " + e.getMessage();
  }

  private static InvalidFeatureException tooLong(int length) {
    return refused("has " + length + " characters; at most " + MOST_CHARS + " are taken", null);
  }

  private static InvalidFeatureException refused(String problem, @Nullable Exception cause) {
    return new InvalidFeatureException("the feature " + problem, cause);
  }
}
