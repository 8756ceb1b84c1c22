// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Registry of providers that turn the location of a store, as a user writes it, into an open
 * backend.
 */
final class StoreLocations {

  // Two letters at least, so that a drive letter is not taken for a scheme.
  private static final Pattern SCHEME =
      Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]+):.*", Pattern.DOTALL);

  private static final String FORMS =
      "write file:///dir, a plain path, s3://bucket/prefix or memory:";

  private StoreLocations() {}

  static ObjectBackend open(String location) {
    URI uri = parse(location);
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    return ServiceLoader.load(BackendProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.scheme().equals(scheme))
        .findFirst()
        .orElseThrow(() -> noProvider(location, scheme))
        .open(uri);
  }

  private static URI parse(String location) {
    if (location.isBlank()) {
      throw new InvalidLocationException("the location of a store is empty; " + FORMS);
    }
    if (location.equals("memory:")) {
      return URI.create("memory:/"); // java.net.URI wants something after the colon
    }
    try {
      Matcher scheme = SCHEME.matcher(location);
      return scheme.matches() ? new URI(location) : Path.of(location).toAbsolutePath().toUri();
    } catch (URISyntaxException e) {
      throw wrong(location, e.getReason());
    } catch (InvalidPathException e) {
      throw wrong(location, e.getReason());
    }
  }

  /** Without its cause, whose message repeats the location and with it what was left out here. */
  private static InvalidLocationException wrong(String location, String reason) {
    return new InvalidLocationException(
        "\"" + shown(location) + "\" is not the location of a store (" + reason + "); " + FORMS);
  }

  /**
   * Returns a location for messages, without the text before an {@code @}, which may be a password.
   */
  private static String shown(String location) {
    return location.replaceAll("//[^/]*@", "//...@");
  }

  private static InvalidLocationException noProvider(String location, String scheme) {
    String remedy =
        scheme.equals("s3")
            ? "add the module tidemark-objects-s3 to the class path"
            : FORMS + " (a path with a colon starts with ./)";
    return new InvalidLocationException(
        "\""
            + shown(location)
            + "\" can't be opened: no store for \""
            + scheme
            + ":\" is known; "
            + remedy);
  }
}
