// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Origin of a web page. Two origins are equal if their schemes, hosts and ports are equal. Case is
 * ignored, and a missing port is the default port of the scheme.
 *
 * @param scheme http or https
 * @param port the port, or the default port of the scheme
 */
public record Origin(String scheme, String host, int port) {

  private static final Pattern FORM =
      Pattern.compile("(?i)(https?)://([a-z0-9.-]+|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?");

  public Origin {
    scheme = scheme.toLowerCase(Locale.ROOT);
    host = host.toLowerCase(Locale.ROOT);
  }

  /** Parses an origin such as {@code https://app.example}; empty if the text isn't an origin. */
  public static Optional<Origin> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String port = parts.group(3);
    return Optional.of(
        new Origin(
            parts.group(1),
            parts.group(2),
            port == null ? usualPort(parts.group(1)) : Integer.parseInt(port)));
  }

  private static int usualPort(String scheme) {
    return scheme.equalsIgnoreCase("https") ? 443 : 80;
  }

  /** Returns a pattern that matches every spelling of this origin in a header. */
  public Pattern pattern() {
    String number = ":0*" + port;
    return Pattern.compile(
        "(?i)"
            + Pattern.quote(scheme + "://" + host)
            + (port == usualPort(scheme) ? "(" + number + ")?" : number));
  }

  @Override
  public String toString() {
    return scheme + "://" + host + (port == usualPort(scheme) ? "" : ":" + port);
  }
}
