// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Feature;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Parser of one entry into a feature. Safe for use by several threads. */
@FunctionalInterface
public interface EntryParser {

  /**
   * Parses a feature.
   *
   * @throws InvalidFeatureException if it is none
   */
  Feature parse(byte[] text);

  /** Parses GeoJSON. */
  static Feature geoJson(byte[] text) {
    return Feature.parse(text);
  }

  /** Returns the text if it is valid UTF-8; malformed characters are never replaced. */
  static String utf8(byte[] text) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidFeatureException("the text isn't UTF-8; convert the file first", e);
    }
  }
}
