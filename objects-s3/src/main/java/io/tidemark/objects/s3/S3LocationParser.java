// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.s3.S3Settings.Access;
import io.tidemark.objects.s3.S3Settings.Addressing;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code s3://bucket/prefix?parameter=value&...}.
 *
 * <p>No message repeats the location as a whole, nor the value of an unknown parameter: somebody
 * may have put a secret there.
 */
final class S3LocationParser {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m)");

  private static final String FORM =
      "write s3://bucket/prefix, with spaces and other special characters percent-encoded";
  private static final String CREDENTIALS =
      "credentials never belong into a location; they are taken from the environment"
          + " (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), a profile (AWS_PROFILE) or the machine's"
          + " role";
  private static final String PARAMETERS =
      "region, endpoint, path-style, request-timeout, max-requests, access";

  private final S3Settings.Builder settings;
  private final String bucket;

  private S3LocationParser(String bucket) {
    this.bucket = bucket;
    this.settings = S3Settings.builder(bucket);
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
          "the location on S3 has something before an @; " + CREDENTIALS);
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
    parser.readParameters(location.getRawQuery());
    return parser.settings.build();
  }

  private void readParameters(@Nullable String query) {
    if (query == null) {
      return;
    }
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
      case "region" -> settings.region(region(value));
      case "endpoint" -> settings.endpoint(endpoint(value));
      case "path-style" -> settings.addressing(addressing(value));
      case "request-timeout" -> settings.requestTimeout(duration(value));
      case "max-requests" -> settings.maxConnections(count(value));
      case "access" -> settings.access(access(value));
      default ->
          throw wrong(
              "there is no parameter \""
                  + name
                  + "\"; the parameters are "
                  + PARAMETERS
                  + "; "
                  + CREDENTIALS);
    }
  }

  private String region(String value) {
    if (!value.matches("[A-Za-z0-9-]+")) {
      throw wrong("the region \"" + value + "\" can't be meant; write region=eu-central-1");
    }
    return value;
  }

  private URI endpoint(String value) {
    try {
      URI uri = new URI(value);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare =
          uri.getRawUserInfo() == null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null
              && uri.getHost() != null;
      if (web && bare) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Answered below, without the cause: its message repeats the value.
    }
    throw wrong("the endpoint is not the address of a server; write endpoint=http://server:port");
  }

  private Addressing addressing(String value) {
    return switch (value) {
      case "true" -> Addressing.PATH;
      case "false" -> Addressing.VIRTUAL_HOST;
      default -> throw wrong("path-style is true or false, not \"" + value + "\"");
    };
  }

  private Access access(String value) {
    return switch (value) {
      case "read-write" -> Access.READ_WRITE;
      case "read-only" -> Access.READ_ONLY;
      default -> throw wrong("access is read-write or read-only, not \"" + value + "\"");
    };
  }

  private int count(String value) {
    if (!value.matches("[1-9][0-9]{0,5}")) {
      throw wrong(
          "the number of requests \"" + value + "\" can't be meant; write max-requests=64, say");
    }
    return Integer.parseInt(value);
  }

  private Duration duration(String value) {
    Matcher matcher = DURATION.matcher(value);
    if (!matcher.matches()) {
      throw wrong(
          "the request timeout \"" + value + "\" is not a time; write 10s, 500ms or 2m, say");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
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
    return new InvalidLocationException("the location s3://" + bucket + " is wrong: " + problem);
  }
}
