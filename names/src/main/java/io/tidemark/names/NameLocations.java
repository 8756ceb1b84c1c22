// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.InvalidLocationException;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds who can open a nameservice at a location. */
final class NameLocations {

  private static final Pattern SCHEME = Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]+):.*");

  private NameLocations() {}

  static NameBackend open(String location) {
    Matcher matcher = SCHEME.matcher(location);
    String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
    if (scheme.equals("memory")) {
      return new MemoryNameBackend();
    }
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
                        + " dynamodb://table or memory:"))
        .open(location);
  }
}
