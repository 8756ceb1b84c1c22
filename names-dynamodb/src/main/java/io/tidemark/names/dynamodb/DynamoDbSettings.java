// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.InvalidLocationException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Where the table is and how to speak to it.
 *
 * @param table the table's name
 * @param region the region it is in, and that requests are signed for
 * @param endpoint a server other than that of AWS
 * @param timeout how long a request may take
 * @param dialect in which form items are written
 * @param migrateFrom an older table, with other keys, whose records belong here too
 * @param missingTable the policy if there is no such table
 * @param objects the location of the store that is beside the names, with ledgers and events
 * @param credentials source of credentials; when empty, the SDK's default chain is asked
 */
@RecordBuilder
@RecordBuilder.Options(
    addConcreteSettersForOptional = RecordBuilder.ConcreteSettersForOptionalMode.ENABLED)
public record DynamoDbSettings(
    String table,
    String region,
    Optional<URI> endpoint,
    Duration timeout,
    Dialect dialect,
    Optional<String> migrateFrom,
    MissingTablePolicy missingTable,
    Optional<String> objects,
    Optional<AwsCredentialsProvider> credentials)
    implements DynamoDbSettingsBuilder.With {

  /** The table that is meant when none is named. */
  public static final String STANDARD_TABLE = "fluree-nameservice";

  /** The region that is meant when none is named. */
  public static final String STANDARD_REGION = "us-east-1";

  /** How long a request may take unless something else is said. */
  public static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(5);

  private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
  private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]+");

  public DynamoDbSettings {
    requireName(table);
    migrateFrom.ifPresent(DynamoDbSettings::requireName);
    if (migrateFrom.filter(table::equals).isPresent()) {
      throw new InvalidLocationException(
          "the table " + table + " can't be migrated from itself; name the older table");
    }
    if (!REGION.matcher(region).matches()) {
      throw new InvalidLocationException(
          "the region \"" + region + "\" can't be meant; write region=eu-central-1, say");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new InvalidLocationException(
          "the timeout of the table " + table + " must be longer than nothing, as in 5000");
    }
  }

  /** Returns the table of this name, all else as it is when nothing is said. */
  public static DynamoDbSettings of(String table) {
    return new DynamoDbSettings(
        table,
        STANDARD_REGION,
        Optional.empty(),
        STANDARD_TIMEOUT,
        Dialect.STANDARD,
        Optional.empty(),
        MissingTablePolicy.REFUSED,
        Optional.empty(),
        Optional.empty());
  }

  private static void requireName(String table) {
    if (!TABLE.matcher(table).matches()) {
      throw new InvalidLocationException(
          "\""
              + table
              + "\" can't be the name of a table; use 3 to 255 letters, digits, '_', '.' and '-'");
    }
  }

  /**
   * Reads a location.
   *
   * @param location {@code
   *     dynamodb://table?region=…&endpoint=…&timeout=…&dialect=…&migrate-from=…&create=…&objects=…},
   *     where all but the scheme may be left out; the timeout is in milliseconds, or has a unit as
   *     in {@code 5s}, and objects is a location, percent-encoded
   * @throws InvalidLocationException when it can't be meant; the message says what to write
   */
  public static DynamoDbSettings parse(String location) {
    return DynamoDbLocationParser.parse(location);
  }

  /** Returns the older table, if there is one, as a place of its own. */
  Optional<DynamoDbSettings> older() {
    return migrateFrom.map(
        older ->
            with()
                .table(older)
                .migrateFrom(Optional.empty())
                .missingTable(MissingTablePolicy.REFUSED)
                .objects(Optional.empty())
                .build());
  }

  /**
   * Returns the place, as a person would write it; how long to wait and whether to create it is no
   * part.
   */
  public String location() {
    return "dynamodb://"
        + table
        + "?region="
        + region
        + endpoint.map(server -> "&endpoint=" + server).orElse("")
        + (dialect == Dialect.STANDARD ? "" : "&dialect=" + dialect.text())
        + migrateFrom.map(older -> "&migrate-from=" + older).orElse("")
        + objects.map(place -> "&objects=" + encoded(place)).orElse("");
  }

  private static String encoded(String location) {
    return URLEncoder.encode(location, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%3A", ":")
        .replace("%2F", "/");
  }

  /**
   * Returns the place alone: what a provider of credentials says of itself doesn't belong into
   * logs.
   */
  @Override
  public String toString() {
    return location();
  }
}
