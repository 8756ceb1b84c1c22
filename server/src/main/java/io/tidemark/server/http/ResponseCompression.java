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
 * Compression of answers for callers that accept zstd or gzip. It skips answers that must not be
 * transformed or whose parts must arrive at once, and objects and GeoParquet, which are compressed
 * already. Request bodies are left to the routes, which know their limits.
 */
public final class ResponseCompression {

  /** Minimum length; below it the headers outweigh the savings. */
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

  /** Returns the response below any compression; the response itself if there is none. */
  static Response plain(Response response) {
    CompressionResponse compressing = Response.as(response, CompressionResponse.class);
    return compressing == null ? response : compressing.getWrapped();
  }

  /** Wraps a handler with compression. */
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
