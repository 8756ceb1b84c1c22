// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.JsonErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Geometry argument of a query.
 *
 * @param given GeoJSON, or the name of a file with it
 */
record GeometryArgument(String given) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** Returns the geometry, or the feature that has it. */
  JsonNode json() {
    String text = given.strip().startsWith("{") ? given : contents();
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new InvalidRequestException(
          "the geometry isn't JSON: %s; give a GeoJSON geometry or a file with one"
              .formatted(JsonErrors.reason(e)),
          e);
    }
  }

  private String contents() {
    try {
      return Files.readString(Path.of(given));
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new InvalidRequestException("there is no such file: " + given, e);
    } catch (IOException e) {
      throw new InvalidRequestException(
          "can't read %s: %s".formatted(given, FileErrors.reason(e)), e);
    }
  }
}
