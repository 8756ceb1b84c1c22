// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.model.InvalidRequestException;
import java.net.URLEncoder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a database. There may be a password in it, which nobody is to see. */
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
   * Reads an address. What is wrong with one is said without repeating it.
   *
   * @throws InvalidRequestException if it isn't one of PostgreSQL's
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

  /** Whether the password is a part of it. */
  public boolean hasPassword() {
    return HAS_PASSWORD.matcher(text).find();
  }

  /** The same with a password. */
  public JdbcUrl withPassword(String password) {
    String separator = text.contains("?") ? "&" : "?";
    return new JdbcUrl(text + separator + "password=" + URLEncoder.encode(password, UTF_8));
  }

  /**
   * The same with settings of the session. Those that are in it already come later, and so count
   * more; a property of the connection's would be passed over for them.
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

  /** All of it, for whoever connects. */
  public String secret() {
    return text;
  }

  /** Without what nobody is to see. */
  @Override
  public String toString() {
    return PASSWORD.matcher(text).replaceAll("$1***");
  }
}
