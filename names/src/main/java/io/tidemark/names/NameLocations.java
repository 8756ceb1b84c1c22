// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.InvalidLocationException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Registry of the providers that can open a nameservice at a location. */
public final class NameLocations {

  private static final Pattern SCHEME = Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]+):.*");

  private static final Pattern DOCUMENT = Pattern.compile("(?i).*\\.(json|jsonld)", Pattern.DOTALL);

  private NameLocations() {}

  /**
   * Opens a nameservice.
   *
   * @param location see {@link NameService#open}
   */
  public static NameBackend open(String location) {
    Matcher matcher = SCHEME.matcher(location);
    String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
    if (scheme.equals("memory")) {
      return new MemoryNameBackend();
    }
    Optional<Path> document = scheme.equals("file") ? document(location) : Optional.empty();
    return document.isPresent()
        ? open("connection", "connection:" + document.get())
        : open(scheme, location);
  }

  /**
   * Returns the connection document that a path stands for: a file whose name says that it is one.
   * There may also be none there yet, which is a mistake rather than the wish for a directory of
   * that name.
   */
  private static Optional<Path> document(String location) {
    if (!DOCUMENT.matcher(location).matches()) {
      return Optional.empty();
    }
    try {
      boolean uri = SCHEME.matcher(location).matches();
      Path path = uri ? Path.of(URI.create(location)) : Path.of(location);
      return Files.isDirectory(path) ? Optional.empty() : Optional.of(path);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // whoever opens directories says what is wrong with it
    }
  }

  private static NameBackend open(String scheme, String location) {
    return ServiceLoader.load(NameBackendProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.schemes().contains(scheme))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidLocationException(
                    "no nameservice for \""
                        + scheme
                        + ":\" is known; write a path, file:///dir, s3://bucket/prefix,"
                        + " dynamodb://table, http://server:7700, memory: or a connection.json"))
        .open(location);
  }
}
