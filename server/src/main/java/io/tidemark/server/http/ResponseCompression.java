// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.List;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.compression.server.internal.CompressionResponse;
import org.eclipse.jetty.compression.zstandard.ZstandardCompression;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Response;

/**
 * Compresses answers for callers that accept zstd or gzip. Left out are answers that say that they
 * must not be transformed, whose parts have to arrive at once, and objects and GeoParquet, which
 * are compressed already. Bodies of requests are left to the routes, which know their limits.
 */
public final class ResponseCompression {

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

  private ResponseCompression() {}

  /** Returns a response in front of which nothing is compressed; the response itself if so. */
  static Response plain(Response response) {
    CompressionResponse compressing = Response.as(response, CompressionResponse.class);
    return compressing == null ? response : compressing.getWrapped();
  }

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
    CompressionHandler handler = new CompressionHandler(next);
    handler.putCompression(gzip);
    handler.putCompression(zstandard);
    handler.putConfiguration("/*", config.build());
    return handler;
  }
}
