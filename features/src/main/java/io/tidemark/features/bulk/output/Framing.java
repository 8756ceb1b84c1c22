// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

/** Text around the features of a GeoJSON output, and its media type. */
public enum Framing {
  /** One FeatureCollection. */
  COLLECTION("application/geo+json", "{\"type\": \"FeatureCollection\", \"features\": [\n", "", ""),
  /** A feature a line. */
  LINES("application/x-ndjson", "", "", "\n"),
  /** Features that each begin with RS, as in RFC 8142. */
  RFC_8142("application/geo+json-seq", "", "\u001e", "\n");

  private final String mediaType;
  private final String start;
  private final String before;
  private final String after;

  Framing(String mediaType, String start, String before, String after) {
    this.mediaType = mediaType;
    this.start = start;
    this.before = before;
    this.after = after;
  }

  /** Returns the media type of the output. */
  public String mediaType() {
    return mediaType;
  }

  /** Returns the text before a feature that follows the given number of features. */
  public String before(long others) {
    if (others == 0) {
      return start + before;
    }
    return this == COLLECTION ? ",\n" : before;
  }

  /** Returns the text after each feature. */
  public String after() {
    return after;
  }

  /** Returns the end of an output of so many features. */
  public String end(long features) {
    if (this != COLLECTION) {
      return "";
    }
    return features == 0 ? start + "]}\n" : "\n]}\n";
  }
}
