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
import io.tidemark.features.InvalidFeatureException;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON the way the database keeps it: numbers exactly, texts without NUL. */
public final class GeoJson {

  private static final int MOST_CHARS = 16 << 20;
  private static final int MOST_BYTES = 16 << 20;
  private static final int DEEPEST = 100;

  /** PostgreSQL's numeric ends beyond; nobody means such a number. */
  private static final int MOST_DIGITS = 1_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(MOST_DIGITS)
                          .maxStringLength(MOST_CHARS)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private GeoJson() {}

  /** An object of text that comes from the database or from our own code. */
  public static ObjectNode object(String text) {
    try {
      if (MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw refused("is no JSON: " + e.getOriginalMessage(), e);
    }
    throw refused("is no JSON object", null);
  }

  /** Anything that comes from the database. */
  public static JsonNode value(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw refused("is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** An object of text that somebody sent, which the database is able to keep. */
  public static ObjectNode sent(String text) {
    if (text.length() > MOST_CHARS) {
      throw refused(
          "has " + text.length() + " characters; at most " + MOST_CHARS + " are taken", null);
    }
    return checked(object(text));
  }

  /** The same of UTF-8; what isn't is refused. */
  public static ObjectNode sent(byte[] utf8) {
    if (utf8.length > MOST_BYTES) {
      throw refused("has " + utf8.length + " bytes; at most " + MOST_BYTES + " are taken", null);
    }
    try {
      if (MAPPER.readTree(utf8) instanceof ObjectNode object) {
        return checked(object);
      }
    } catch (IOException e) {
      throw refused(reason(e), e);
    }
    throw refused("is no JSON object", null);
  }

  /** An object that somebody has put together, which the database is able to keep. */
  public static ObjectNode checked(ObjectNode object) {
    check(object);
    return object;
  }

  /** The text of an object in UTF-8, for the database. */
  public static byte[] bytes(ObjectNode object) {
    try {
      return MAPPER.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw refused("can't be written: " + e.getOriginalMessage(), e);
    }
  }

  private static void check(JsonNode node) {
    if (node.isTextual()) {
      checkText(node.textValue());
    } else if (node.isBigDecimal()) {
      BigDecimal number = node.decimalValue();
      if (Math.abs((long) number.scale()) > MOST_DIGITS) {
        throw refused(
            "holds the number " + number + ", whose exponent is beyond " + MOST_DIGITS, null);
      }
    }
    node.fieldNames().forEachRemaining(GeoJson::checkText);
    node.forEach(GeoJson::check);
  }

  private static void checkText(String text) {
    if (text.indexOf('\0') >= 0) {
      throw refused("holds a text with the character NUL, which PostgreSQL can't keep", null);
    }
    if (text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw refused("holds a text with half a character, which no UTF-8 can express", null);
    }
  }

  private static String reason(IOException e) {
    return e instanceof JsonProcessingException json
        ? "is no JSON: " + json.getOriginalMessage()
        : "is no text in UTF-8: " + e.getMessage();
  }

  private static InvalidFeatureException refused(String problem, @Nullable Exception cause) {
    return new InvalidFeatureException("the feature " + problem, cause);
  }
}
