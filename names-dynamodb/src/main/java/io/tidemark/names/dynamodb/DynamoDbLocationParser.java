// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.objects.InvalidLocationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads {@code dynamodb://table?parameter=value&...}.
 *
 * <p>No message repeats the location as a whole, nor the value of an unknown parameter: somebody
 * may have put a secret there.
 */
final class DynamoDbLocationParser {

  private static final String SCHEME = "dynamodb:";
  private static final String FORM =
      "write dynamodb://table?region=...&endpoint=...&timeout=..., each of which may be left out";
  private static final String CREDENTIALS =
      "credentials never belong into a location; they are taken from the environment"
          + " (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), a profile (AWS_PROFILE) or the machine's"
          + " role";
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|)");

  private DynamoDbSettings settings;

  private DynamoDbLocationParser(String table) {
    this.settings = DynamoDbSettings.of(table.isEmpty() ? DynamoDbSettings.STANDARD_TABLE : table);
  }

  static DynamoDbSettings parse(String location) {
    if (!location.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new InvalidLocationException("a location on DynamoDB starts with dynamodb://; " + FORM);
    }
    String rest = location.substring(SCHEME.length());
    String place = rest.startsWith("//") ? rest.substring(2) : rest;
    int question = place.indexOf('?');
    String table = question < 0 ? place : place.substring(0, question);
    if (table.contains("@")) {
      throw new InvalidLocationException(
          "the location on DynamoDB has something before an @; " + CREDENTIALS);
    }
    DynamoDbLocationParser parser =
        new DynamoDbLocationParser(
            table.endsWith("/") ? table.substring(0, table.length() - 1) : table);
    if (question >= 0) {
      parser.readParameters(place.substring(question + 1));
    }
    return parser.settings;
  }

  private void readParameters(String query) {
    Set<String> seen = new HashSet<>();
    for (String parameter : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = decode(equals < 0 ? parameter : parameter.substring(0, equals));
      String value = equals < 0 ? "" : decode(parameter.substring(equals + 1));
      if (!seen.add(name)) {
        throw wrong("the parameter " + name + " stands there twice; leave one out");
      }
      readParameter(name, value);
    }
  }

  private void readParameter(String name, String value) {
    switch (name) {
      case "region" -> settings = settings.withRegion(value);
      case "endpoint" -> settings = settings.withEndpoint(endpoint(value));
      case "timeout" -> settings = settings.withTimeout(time(value));
      case "dialect" -> settings = settings.withDialect(dialect(value));
      case "migrate-from" -> settings = settings.withMigrateFrom(value);
      default ->
          throw wrong(
              "there is no parameter \""
                  + name
                  + "\"; the parameters are region, endpoint, timeout, dialect and"
                  + " migrate-from; "
                  + CREDENTIALS);
    }
  }

  private Dialect dialect(String value) {
    return Stream.of(Dialect.values())
        .filter(dialect -> dialect.word().equals(value))
        .findFirst()
        .orElseThrow(() -> wrong("dialect is standard or fluree, not \"" + value + "\""));
  }

  private URI endpoint(String value) {
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
    throw wrong("the endpoint is not the address of a server; write endpoint=http://server:port");
  }

  private Duration time(String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw wrong("the timeout \"" + value + "\" is no time; write 5000, 500ms, 5s or 1m, say");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofMillis(number);
    };
  }

  private String decode(String text) {
    try {
      // In a URI a plus is a plus; the decoder is one for forms, where it is a space.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong("its parameters are not percent-encoded as they should be; " + FORM);
    }
  }

  private InvalidLocationException wrong(String problem) {
    return new InvalidLocationException(
        "the location dynamodb://" + settings.table() + " is wrong: " + problem);
  }
}
