// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.tidemark.objects.JsonErrors;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UtcTimestamp;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * JSON form of requests and results, equal over HTTP and in the output of the command: members in
 * snake case in the order of a record's components, moments as {@link UtcTimestamp} writes them,
 * numbers of any length exact. Unknown members are ignored on reading, so that a client reads the
 * answers of a newer server; a server validates requests against its description first.
 */
public final class WireJson {

  /** Rows and payloads may be nested 1,000 deep, and lie some levels deeper in a document. */
  private static final int DEEPEST = 1_100;

  /** A list or map that is left out is empty. */
  private static final JsonSetter.Value EMPTY = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .build())
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule("tidemark")
                  .addSerializer(Instant.class, new MomentWriter())
                  .addDeserializer(Instant.class, new MomentReader()))
          .withConfigOverride(List.class, list -> list.setSetterInfo(EMPTY))
          .withConfigOverride(Map.class, map -> map.setSetterInfo(EMPTY))
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private WireJson() {}

  /** Returns a request or result as a document. */
  public static JsonNode tree(Object value) {
    return JSON.valueToTree(value);
  }

  /** Returns a request or result as text. */
  public static String text(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + value.getClass().getSimpleName(), e);
    }
  }

  /** Returns a request or result as UTF-8. */
  public static byte[] bytes(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + value.getClass().getSimpleName(), e);
    }
  }

  /** Returns a parser of documents that are too long to be held. */
  public static JsonParser parser(InputStream in) throws IOException {
    return JSON.createParser(in);
  }

  /**
   * Parses a line of a stream of documents.
   *
   * @throws StoreUnavailableException if it is no JSON
   */
  public static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw unexpected("JSON", e);
    }
  }

  /**
   * Reads a request or result.
   *
   * @throws StoreUnavailableException if the document is of another form
   */
  public static <T> T read(JsonNode document, Class<T> type) {
    try {
      return JSON.treeToValue(document, type);
    } catch (JsonProcessingException e) {
      throw unexpected(type.getSimpleName(), e);
    }
  }

  /** Reads a result of a generic type, such as a page. */
  public static <T> T read(JsonNode document, TypeReference<T> type) {
    try {
      return JSON.readValue(JSON.treeAsTokens(document), type);
    } catch (IOException e) {
      throw unexpected(type.getType().getTypeName(), e);
    }
  }

  private static StoreUnavailableException unexpected(String expected, IOException e) {
    String reason =
        e instanceof JsonProcessingException json ? JsonErrors.reason(json) : e.getMessage();
    return new StoreUnavailableException(
        "expected a document of type %s (%s); client and server may be of different versions"
            .formatted(expected, reason),
        e);
  }

  private static final class MomentWriter extends StdScalarSerializer<Instant> {
    private static final long serialVersionUID = 1;

    MomentWriter() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant moment, JsonGenerator into, SerializerProvider unused)
        throws IOException {
      into.writeString(UtcTimestamp.format(moment));
    }
  }

  private static final class MomentReader extends StdScalarDeserializer<Instant> {
    private static final long serialVersionUID = 1;

    MomentReader() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String text = parser.getText();
      return UtcTimestamp.parse(text)
          .orElseThrow(
              () -> context.weirdStringException(text, Instant.class, "no moment of ISO 8601"));
    }
  }
}
