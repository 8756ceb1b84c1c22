// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;

/** Features to be loaded. */
public sealed interface FeatureInput {

  /** Returns the format. */
  FeatureFormat format();

  /**
   * File with features.
   *
   * @param file file, which is compressed if its name ends in {@code .gz}
   */
  record InFile(Path file, FeatureFormat format) implements FeatureInput {

    /** Returns whether the file is compressed. */
    public boolean isCompressed() {
      return isCompressed(file.toString());
    }

    private static boolean isCompressed(String fileName) {
      return fileName.toLowerCase(Locale.ROOT).endsWith(COMPRESSED);
    }
  }

  /**
   * Stream with features, not compressed, which is read once and which the caller closes.
   *
   * @param name name of the stream in messages
   */
  record InStream(InputStream stream, String name, FeatureFormat format) implements FeatureInput {}

  /** End of the name of a compressed file. */
  String COMPRESSED = ".gz";

  /**
   * Returns the features of a file whose name tells the format.
   *
   * @throws TidemarkException with the code invalid-input if it tells none that can be loaded
   */
  static FeatureInput of(Path file) {
    String name = file.toString();
    String plain =
        InFile.isCompressed(name) ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    return FeatureFormat.ofFileName(plain)
        .filter(format -> format != FeatureFormat.GEOPARQUET)
        .map(format -> of(file, format))
        .orElseThrow(
            () ->
                new TidemarkException(
                    ErrorCode.INVALID_INPUT,
                    ("the name of %s doesn't tell its format; give geojson, geojsonseq or csv as"
                            + " --format")
                        .formatted(file)));
  }

  /** Returns the features of a file. */
  static FeatureInput of(Path file, FeatureFormat format) {
    return new InFile(file, format);
  }

  /** Returns the features of a stream, with its name in messages. */
  static FeatureInput of(InputStream stream, String name, FeatureFormat format) {
    return new InStream(stream, name, format);
  }
}
