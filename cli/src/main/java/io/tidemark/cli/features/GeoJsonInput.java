// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.geojson.ReferenceSystem;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.JsonErrors;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reader of GeoJSON: a FeatureCollection, a Feature, or a sequence of them, with a line each or
 * with record separators.
 *
 * @param source name of the input in error messages
 * @param most maximum number of features
 */
record GeoJsonInput(String source, int most) {

  private static final String STANDARD_INPUT = "-";
  private static final char RECORD_SEPARATOR = 0x1e;
  private static final char MARK_OF_UTF_8 = 0xfeff;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** Reads a file, or standard input when its name is a hyphen. */
  static List<ObjectNode> read(String file, int most) {
    boolean piped = file.equals(STANDARD_INPUT);
    GeoJsonInput sent = new GeoJsonInput(piped ? "standard input" : file, most);
    try (Reader text = text(piped ? System.in : Files.newInputStream(Path.of(file)))) {
      return sent.all(text);
    } catch (NoSuchFileException e) {
      throw new InvalidRequestException("there is no such file: " + file, e);
    } catch (JsonProcessingException e) {
      throw sent.noJson(e);
    } catch (IOException e) {
      throw new InvalidRequestException(
          "can't read %s: %s".formatted(sent.source(), FileErrors.reason(e)), e);
    }
  }

  /** Returns a reader that fails if the bytes aren't UTF-8, instead of replacing characters. */
  private static Reader text(InputStream bytes) throws IOException {
    Reader text =
        new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()));
    text.mark(1);
    if (text.read() != MARK_OF_UTF_8) {
      text.reset();
    }
    return text;
  }

  private InvalidFeatureException noJson(JsonProcessingException e) {
    return new InvalidFeatureException(
        "%s, line %d: it is no JSON: %s"
            .formatted(source, e.getLocation().getLineNr(), JsonErrors.reason(e)),
        e);
  }

  private List<ObjectNode> all(Reader text) throws IOException {
    List<ObjectNode> features = new ArrayList<>();
    try (JsonParser json = MAPPER.createParser(new RecordSeparatorFilter(text))) {
      while (json.nextToken() != null) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
          throw new InvalidFeatureException(
              "%s, line %d: it is no JSON object".formatted(source, line(json)));
        }
        object(json, features);
      }
    }
    return features;
  }

  /** Reads a feature, or a collection of them, which is recognized by its array. */
  private void object(JsonParser json, List<ObjectNode> features) throws IOException {
    int line = line(json);
    ObjectNode rest = MAPPER.createObjectNode();
    boolean collection = false;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      if (json.nextToken() == JsonToken.START_ARRAY && name.equals("features")) {
        collection = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
          int own = line(json);
          add(features, MAPPER.readTree(json), own);
        }
      } else {
        rest.set(name, MAPPER.<JsonNode>readTree(json));
        requireWgs84(rest, line);
      }
    }
    if (!collection) {
      add(features, rest, line);
    }
  }

  /** Refuses another reference system before features fail for coordinates beyond the world. */
  private void requireWgs84(ObjectNode object, int line) {
    try {
      ReferenceSystem.requireWgs84(object);
    } catch (InvalidFeatureException e) {
      throw new InvalidFeatureException(
          "%s, line %d: %s".formatted(source, line, e.getMessage()), e);
    }
  }

  private void add(List<ObjectNode> features, JsonNode feature, int line) {
    if (features.size() == most) {
      throw new InvalidRequestException(
          "%s has more than %s, which is what one transaction takes; raise --max-batch, or use 'tidemark features load'"
              .formatted(source, Plural.of(most, "feature")));
    }
    try {
      Feature unused = Feature.parse(feature.toString());
      features.add((ObjectNode) feature);
    } catch (InvalidFeatureException e) {
      throw new InvalidFeatureException(
          "%s, line %d, feature %d%s: %s"
              .formatted(source, line, features.size() + 1, id(feature), e.getMessage()),
          e);
    }
  }

  private static String id(JsonNode feature) {
    return feature.path("id").isTextual() ? " (" + feature.path("id").textValue() + ")" : "";
  }

  private static int line(JsonParser json) {
    return json.currentTokenLocation().getLineNr();
  }

  /** Filter that removes the characters that RFC 8142 puts before each feature. */
  private static final class RecordSeparatorFilter extends FilterReader {
    RecordSeparatorFilter(Reader text) {
      super(text);
    }

    @Override
    public int read(char[] into, int from, int length) throws IOException {
      int count = super.read(into, from, length);
      for (int i = from; i < from + count; i++) {
        into[i] = into[i] == RECORD_SEPARATOR ? ' ' : into[i];
      }
      return count;
    }
  }
}
