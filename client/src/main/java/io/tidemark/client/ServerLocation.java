// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.LocationParameters;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Location of a server: {@code http://host:port?parameter=value&...}, with a path in between when
 * it stands behind another.
 *
 * <p>No message repeats a location as a whole: it may hold a secret.
 *
 * @param base its address, without a slash at the end
 * @param insecure whether a token may be sent over an unencrypted connection
 * @param timeout how long one request may take, and how long a stream may say nothing
 * @param tokenFile file that holds the token; empty for the token of the environment
 */
public record ServerLocation(
    URI base, boolean insecure, Duration timeout, Optional<Path> tokenFile) {

  private static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(30);
  private static final String FORM = "write http://host:7700 or https://host, say";
  private static final String PARAMETERS = "insecure, timeout and token-file";
  private static final String TOKENS =
      "a token never belongs into a location; it is taken from TIDEMARK_TOKEN, or from the file"
          + " that TIDEMARK_TOKEN_FILE names";

  /** Returns whether a location is one of a server; a directory may be called httpd. */
  public static boolean isServerUrl(String location) {
    return location.regionMatches(true, 0, "http://", 0, 7)
        || location.regionMatches(true, 0, "https://", 0, 8);
  }

  /** Reads a location. */
  public static ServerLocation parse(String location) {
    int question = location.indexOf('?');
    ServerLocation bare = of(question < 0 ? location : location.substring(0, question));
    if (question < 0) {
      return bare;
    }
    LocationParameters parameters = new LocationParameters(bare.base.toString());
    ServerLocation found = bare;
    for (var parameter : parameters.parse(location.substring(question + 1)).entrySet()) {
      found = found.with(parameter.getKey(), parameter.getValue(), parameters);
    }
    return found;
  }

  private static ServerLocation of(String place) {
    URI uri;
    try {
      uri = new URI(place);
    } catch (URISyntaxException e) { // whose message repeats the location
      throw new InvalidLocationException("the location of the server is no URL; " + FORM);
    }
    if (uri.getRawUserInfo() != null || place.contains("@")) {
      throw new InvalidLocationException(
          "the location of the server has something before an @; " + TOKENS);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("http") || scheme.equals("https");
    if (!web || uri.getHost() == null || uri.getRawFragment() != null) {
      throw new InvalidLocationException("the location of the server names no host; " + FORM);
    }
    String path = uri.getRawPath().replaceAll("/+$", "");
    URI base = URI.create(scheme + "://" + uri.getRawAuthority() + path);
    return new ServerLocation(base, false, STANDARD_TIMEOUT, Optional.empty());
  }

  private ServerLocation with(String name, String value, LocationParameters parameters) {
    return switch (name) {
      case "insecure" -> new ServerLocation(base, flag(value, parameters), timeout, tokenFile);
      case "timeout" ->
          new ServerLocation(
              base,
              insecure,
              LocationParameters.time(value)
                  .filter(time -> !time.isZero())
                  .orElseThrow(
                      () ->
                          parameters.invalidLocation(
                              "the timeout is a time like 500ms, 30s or 1m")),
              tokenFile);
      case "token-file" -> new ServerLocation(base, insecure, timeout, Optional.of(Path.of(value)));
      default ->
          throw parameters.invalidLocation(
              "there is no parameter \"%s\"; the parameters are %s; %s"
                  .formatted(name, PARAMETERS, TOKENS));
    };
  }

  private static boolean flag(String value, LocationParameters parameters) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw parameters.invalidLocation("insecure is true or false");
    };
  }

  /** Returns whether the connection is encrypted, or to this machine. */
  boolean isConfidential() {
    String host = base.getHost();
    return base.getScheme().equals("https")
        || host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }

  /** Returns the location as a user would write it. */
  @Override
  public String toString() {
    return base + (insecure ? "?insecure=true" : "");
  }
}
