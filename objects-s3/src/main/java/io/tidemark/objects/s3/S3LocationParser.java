// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.LocationParameters;
import io.tidemark.objects.s3.S3Settings.Access;
import io.tidemark.objects.s3.S3Settings.Addressing;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/**
 * Parser of {@code s3://bucket/prefix?parameter=value&...}. As in {@link LocationParameters}, no
 * message repeats what might be a secret.
 */
final class S3LocationParser {

  private static final String FORM =
      "write s3://bucket/prefix, with spaces and other special characters percent-encoded";
  private static final String PARAMETERS =
      "region, endpoint, path-style, request-timeout, max-requests, access";

  private final S3SettingsBuilder settings;
  private final LocationParameters parameters;

  private S3LocationParser(String bucket) {
    this.settings = S3Settings.builder(bucket);
    this.parameters = new LocationParameters("s3://" + bucket);
  }

  static S3Settings parse(String location) {
    try {
      return parse(new URI(location));
    } catch (URISyntaxException e) {
      // Without the cause, whose message repeats the location.
      throw new InvalidLocationException(
          "the location of the S3 store is wrong at character "
              + (e.getIndex() + 1)
              + ": "
              + e.getReason()
              + "; "
              + FORM);
    }
  }

  static S3Settings parse(URI location) {
    if (!"s3".equalsIgnoreCase(location.getScheme())) {
      throw new InvalidLocationException("a location on S3 starts with s3://; " + FORM);
    }
    String authority = location.getAuthority();
    if (authority == null || authority.isEmpty()) {
      throw new InvalidLocationException("the location on S3 has no bucket; " + FORM);
    }
    if (authority.contains("@")) {
      throw new InvalidLocationException(
          "the location on S3 has something before an @; " + LocationParameters.CREDENTIALS);
    }
    if (authority.contains(":")) {
      throw new InvalidLocationException(
          "the location on S3 has a colon where the bucket should be; for a server of your own write"
              + " s3://bucket/prefix?endpoint=http://server:port");
    }
    if (location.getRawFragment() != null) {
      throw new InvalidLocationException(
          "the location s3://" + authority + " has a #; write %23 if it belongs to the prefix");
    }
    S3LocationParser parser = new S3LocationParser(authority);
    parser.settings.prefix(location.getPath());
    if (location.getRawQuery() != null) {
      parser.parameters.parse(location.getRawQuery()).forEach(parser::readParameter);
    }
    return parser.settings.build();
  }

  private void readParameter(String name, String value) {
    switch (name) {
      case "region" -> settings.region(region(value));
      case "endpoint" -> settings.endpoint(parameters.endpoint(value));
      case "path-style" -> settings.addressing(addressing(value));
      case "request-timeout" -> settings.requestTimeout(duration(value));
      case "max-requests" -> settings.maxConnections(count(value));
      case "access" -> settings.access(access(value));
      default -> throw parameters.unknownParameter(name, PARAMETERS);
    }
  }

  private String region(String value) {
    if (!value.matches("[A-Za-z0-9-]+")) {
      throw invalidLocation(
          "the region \"" + value + "\" can't be meant; write region=eu-central-1");
    }
    return value;
  }

  private Addressing addressing(String value) {
    return switch (value) {
      case "true" -> Addressing.PATH;
      case "false" -> Addressing.VIRTUAL_HOST;
      default -> throw invalidLocation("path-style is true or false, not \"" + value + "\"");
    };
  }

  private Access access(String value) {
    return switch (value) {
      case "read-write" -> Access.READ_WRITE;
      case "read-only" -> Access.READ_ONLY;
      default -> throw invalidLocation("access is read-write or read-only, not \"" + value + "\"");
    };
  }

  private int count(String value) {
    if (!value.matches("[1-9][0-9]{0,5}")) {
      throw invalidLocation(
          "the number of requests \"" + value + "\" can't be meant; write max-requests=64, say");
    }
    return Integer.parseInt(value);
  }

  private Duration duration(String value) {
    return LocationParameters.time(value)
        .orElseThrow(
            () ->
                invalidLocation(
                    "the request timeout \""
                        + value
                        + "\" is not a time; write 10s, 500ms or 2m, say"));
  }

  private InvalidLocationException invalidLocation(String problem) {
    return parameters.invalidLocation(problem);
  }
}
