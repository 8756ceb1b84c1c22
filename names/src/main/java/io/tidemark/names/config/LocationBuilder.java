// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builder of locations from their parts. */
final class LocationBuilder {

  private static final Pattern AWS = Pattern.compile("s3[.-]([a-z0-9-]+)\\.amazonaws\\.com");

  private LocationBuilder() {}

  /** Not by {@code Path.toUri()}, which looks whether there is such a directory. */
  static String file(Path path) {
    return "file://" + path(path.toAbsolutePath().toString());
  }

  static String s3(String bucket, String prefix) {
    return "s3://" + encoded(bucket) + (prefix.isEmpty() ? "" : "/" + path(prefix));
  }

  /** Returns the region that a server of AWS has in its name. */
  static Optional<String> regionOf(URI endpoint) {
    String host = Optional.ofNullable(endpoint.getHost()).orElse("");
    Matcher matcher = AWS.matcher(host.toLowerCase(Locale.ROOT));
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  static String encoded(String text) {
    // The encoder is one for forms, where a space is a plus.
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String path(String path) {
    return encoded(path).replace("%2F", "/");
  }

  /** Query string of a location, in the order in which parameters were added. */
  static final class Query {
    private final StringBuilder text = new StringBuilder();

    Query add(String name, String value) {
      text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(encoded(value));
      return this;
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
