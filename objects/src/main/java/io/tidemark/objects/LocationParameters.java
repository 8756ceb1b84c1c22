// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parser of the query string of a location, {@code parameter=value&...}, for code that opens
 * locations.
 *
 * <p>No message repeats a location as a whole, nor the value of an unknown parameter: it may hold a
 * secret.
 */
public final class LocationParameters {

  /** Where credentials come from, for messages. */
  public static final String CREDENTIALS =
      "credentials never belong into a location; they are taken from the environment"
          + " (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), a profile (AWS_PROFILE) or the machine's"
          + " role";

  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m)");

  private final String place;

  /**
   * @param place the location without its parameters, for messages
   */
  public LocationParameters(String place) {
    this.place = place;
  }

  /** Returns the parameters by name, in the order given; what has no value has an empty one. */
  public Map<String, String> parse(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = decode(equals < 0 ? parameter : parameter.substring(0, equals));
      String value = equals < 0 ? "" : decode(parameter.substring(equals + 1));
      if (parameters.put(name, value) != null) {
        throw invalidLocation("the parameter " + name + " stands there twice; leave one out");
      }
    }
    return parameters;
  }

  private String decode(String text) {
    try {
      // In a URI a plus is a plus; the decoder is one for forms, where it is a space.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw invalidLocation(
          "its parameters are not percent-encoded as they should be; write %25 for a percent sign");
    }
  }

  /** Returns the address of a server, without credentials or whatever else could hide in one. */
  public URI endpoint(String value) {
    try {
      URI uri = new URI(value);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare =
          uri.getHost() != null
              && uri.getRawUserInfo() == null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null;
      if (web && bare) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Answered below, without the cause: its message repeats the value.
    }
    throw invalidLocation(
        "the endpoint is not the address of a server; write endpoint=http://server:port");
  }

  /** Returns a time like {@code 500ms}, {@code 10s} or {@code 2m}; empty when it is none. */
  public static Optional<Duration> time(String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          default -> Duration.ofMinutes(number);
        });
  }

  /** Returns the exception for an unknown parameter. */
  public InvalidLocationException unknownParameter(String name, String known) {
    return invalidLocation(
        "there is no parameter \"" + name + "\"; the parameters are " + known + "; " + CREDENTIALS);
  }

  /**
   * Returns the exception for an invalid location. Its message names only the place that the
   * location leads to.
   */
  public InvalidLocationException invalidLocation(String problem) {
    return new InvalidLocationException("the location " + place + " is wrong: " + problem);
  }
}
