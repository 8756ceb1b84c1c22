// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.List;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.compression.zstandard.ZstandardCompression;
import org.eclipse.jetty.server.Handler;

/**
 * Compresses answers for callers that accept zstd or gzip. Left out are event streams and progress,
 * which have to arrive at once, and objects and GeoParquet, which are compressed already. Bodies of
 * requests are left to the routes, which know their limits.
 */
public final class Compressed {

  /** Below that the headers outweigh what is saved. */
  private static final int LEAST = 1024;

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/problem+json",
          "application/geo+json",
          "application/geo+json-seq",
          "application/x-ndjson",
          "text/html",
          "text/plain");

  /** Their lines say how far the work is; zstd would keep them back until it has more. */
  private static final List<String> LIVE =
      List.of("/v1/push", "/v1/pull", "/v1/clone", "/v1/migrate");

  private Compressed() {}

  /** Puts compression in front of a handler. */
  public static Handler of(Handler next) {
    GzipCompression gzip = new GzipCompression();
    gzip.setMinCompressSize(LEAST);
    ZstandardCompression zstandard = new ZstandardCompression();
    zstandard.setMinCompressSize(LEAST);
    CompressionConfig.Builder config =
        CompressionConfig.builder()
            .compressPreferredEncodings(List.of("zstd", "gzip"))
            .compressExcludeMethod("HEAD")
            .decompressExcludePath("/*");
    TYPES.forEach(config::compressIncludeMimeType);
    LIVE.forEach(config::compressExcludePath);
    CompressionHandler handler = new CompressionHandler(next);
    handler.putCompression(gzip);
    handler.putCompression(zstandard);
    handler.putConfiguration("/*", config.build());
    return handler;
  }
}
