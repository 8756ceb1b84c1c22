// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.LocationParameters;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Parser of {@code dynamodb://table?parameter=value&...}. As in {@link LocationParameters}, no
 * message repeats what might be a secret.
 */
final class DynamoDbLocationParser {

  private static final String SCHEME = "dynamodb:";
  private static final String FORM =
      "write dynamodb://table?region=...&endpoint=..., each of which may be left out";
  private static final String PARAMETERS =
      "region, endpoint, timeout, dialect, migrate-from, create and objects";

  private DynamoDbSettings settings;
  private final LocationParameters parameters;

  private DynamoDbLocationParser(String table) {
    this.settings = DynamoDbSettings.of(table.isEmpty() ? DynamoDbSettings.STANDARD_TABLE : table);
    this.parameters = new LocationParameters("dynamodb://" + settings.table());
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
          "the location on DynamoDB has something before an @; " + LocationParameters.CREDENTIALS);
    }
    DynamoDbLocationParser parser =
        new DynamoDbLocationParser(
            table.endsWith("/") ? table.substring(0, table.length() - 1) : table);
    if (question >= 0) {
      String query = place.substring(question + 1);
      parser.parameters.parse(query).forEach(parser::readParameter);
    }
    return parser.settings;
  }

  private void readParameter(String name, String value) {
    switch (name) {
      case "region" -> settings = settings.withRegion(value);
      case "endpoint" -> settings = settings.withEndpoint(Optional.of(parameters.endpoint(value)));
      case "timeout" -> settings = settings.withTimeout(time(value));
      case "dialect" -> settings = settings.withDialect(dialect(value));
      case "migrate-from" -> settings = settings.withMigrateFrom(Optional.of(value));
      case "create" -> settings = settings.withMissingTable(missingTable(value));
      case "objects" -> settings = settings.withObjects(Optional.of(value));
      default -> throw parameters.unknownParameter(name, PARAMETERS);
    }
  }

  private Dialect dialect(String value) {
    return Stream.of(Dialect.values())
        .filter(dialect -> dialect.text().equals(value))
        .findFirst()
        .orElseThrow(() -> wrong("dialect is standard or fluree, not \"" + value + "\""));
  }

  private MissingTablePolicy missingTable(String value) {
    return switch (value) {
      case "true" -> MissingTablePolicy.CREATED;
      case "false" -> MissingTablePolicy.REFUSED;
      default -> throw wrong("create is true or false, not \"" + value + "\"");
    };
  }

  /** Without a unit it is milliseconds, as in the configurations of other programs. */
  private Duration time(String value) {
    boolean bare = value.chars().allMatch(c -> c >= '0' && c <= '9');
    return LocationParameters.time(bare ? value + "ms" : value)
        .orElseThrow(
            () ->
                wrong(
                    "the timeout \"" + value + "\" is no time; write 5000, 500ms, 5s or 1m, say"));
  }

  private InvalidLocationException wrong(String problem) {
    return parameters.invalidLocation(problem);
  }
}
