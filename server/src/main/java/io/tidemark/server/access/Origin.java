// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Origin of a web page. Two are equal if their schemes and hosts are, in whatever case they are
 * written, and their ports, of which the usual one of a scheme may be left out.
 *
 * @param scheme http or https
 * @param port the usual one of the scheme if none was said
 */
public record Origin(String scheme, String host, int port) {

  private static final Pattern FORM =
      Pattern.compile("(?i)(https?)://([a-z0-9.-]+|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?");

  public Origin {
    scheme = scheme.toLowerCase(Locale.ROOT);
    host = host.toLowerCase(Locale.ROOT);
  }

  /** Reads one, such as {@code https://app.example}; empty if the text is no origin. */
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

  /** Matches every way to write it in a header. */
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
