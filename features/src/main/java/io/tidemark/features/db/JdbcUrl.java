// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.model.InvalidRequestException;
import java.net.URLEncoder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a database. It may contain a password, which must not be shown. */
public final class JdbcUrl {

  private static final String SCHEME = "jdbc:postgresql:";
  private static final String EXAMPLE = "jdbc:postgresql://host:5432/database?user=me";
  private static final Pattern PORT =
      Pattern.compile("//(\\[[^]]*]|[^:/?]*)(:\\d{1,5})?([/?,].*)?");
  private static final Pattern PASSWORD = Pattern.compile("([?&](?i:[a-z]*password)=)[^&]*");
  private static final Pattern OPTIONS = Pattern.compile("([?&]options=)");
  private static final Pattern HAS_PASSWORD = Pattern.compile("[?&]password=");

  private final String text;

  private JdbcUrl(String text) {
    this.text = text;
  }

  /**
   * Parses an address. Error messages never repeat the address.
   *
   * @throws InvalidRequestException if it isn't an address of PostgreSQL
   */
  public static JdbcUrl parse(String text) {
    if (!text.startsWith(SCHEME)) {
      throw refused("it doesn't begin with " + SCHEME);
    }
    String place = text.substring(SCHEME.length());
    if (place.split("\\?", 2)[0].contains("@")) {
      throw refused("user and password come behind a question mark, not before the host");
    }
    if (place.startsWith("//") && !PORT.matcher(place).matches()) {
      throw refused("a host may be followed by a colon and a port, and then by a slash");
    }
    return new JdbcUrl(text);
  }

  private static InvalidRequestException refused(String problem) {
    return new InvalidRequestException(
        "the address of the database can't be read: %s; one looks like %s"
            .formatted(problem, EXAMPLE));
  }

  /** Returns whether the address contains the password. */
  public boolean hasPassword() {
    return HAS_PASSWORD.matcher(text).find();
  }

  /** Returns a copy with a password. */
  public JdbcUrl withPassword(String password) {
    String separator = text.contains("?") ? "&" : "?";
    return new JdbcUrl(text + separator + "password=" + URLEncoder.encode(password, UTF_8));
  }

  /**
   * Returns a copy with settings of the session. Settings that the address has already come later,
   * and so take precedence; they would also hide a property of the connection.
   */
  public JdbcUrl withSettings(String settings) {
    String encoded = URLEncoder.encode(settings, UTF_8);
    Matcher given = OPTIONS.matcher(text);
    if (given.find()) {
      String both = given.group(1) + encoded + "+";
      return new JdbcUrl(text.substring(0, given.start()) + both + text.substring(given.end()));
    }
    return new JdbcUrl(text + (text.contains("?") ? "&" : "?") + "options=" + encoded);
  }

  /** Returns the full address with the password, for connecting. */
  public String secret() {
    return text;
  }

  /** Returns the address without secrets. */
  @Override
  public String toString() {
    return PASSWORD.matcher(text).replaceAll("$1***");
  }
}
