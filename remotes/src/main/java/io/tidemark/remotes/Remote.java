// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.InvalidLocationException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another store that holds names.
 *
 * @param location location that a nameservice is opened with, such as {@code s3://bucket/prefix}.
 *     Every reader of this store can read it, so it holds no credentials: they are found where
 *     those of any store are
 */
public record Remote(RemoteName name, String location) {

  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(.*)");
  private static final Pattern USER_INFO = Pattern.compile("//[^/?#]*@.*");
  private static final Pattern QUERY = Pattern.compile("[^?#]*[?#].*");

  public Remote {
    Matcher matcher = SCHEME.matcher(location);
    String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
    if (location.isBlank() || location.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidLocationException(
          "a remote is a path, s3://bucket/prefix or http://host, not \"" + location + "\"");
    }
    if (matcher.matches() && USER_INFO.matcher(matcher.group(2)).matches()) {
      throw new InvalidLocationException(
          "the location of the remote "
              + name
              + " has a user or a password before the '@', which would be kept for all to read;"
              + " leave it out, credentials come from the environment");
    }
    if (scheme.startsWith("http") && QUERY.matcher(location).matches()) {
      throw new InvalidLocationException(
          "the location of the remote "
              + name
              + " has something behind a '?' or a '#', which would be kept for all to read; leave"
              + " it out");
    }
    if (scheme.equals("memory")) {
      throw new InvalidLocationException(
          "memory: is another store each time it is opened, so it can't be a remote");
    }
  }

  /** Returns a remote whose location may be a path from where this process is. */
  public static Remote of(RemoteName name, String location) {
    return new Remote(name, SCHEME.matcher(location).matches() ? location : absolute(location));
  }

  /** Returns whether it is reached through a server, and not by the store itself. */
  boolean isServer() {
    String start = location.toLowerCase(Locale.ROOT);
    return start.startsWith("http:") || start.startsWith("https:");
  }

  private static String absolute(String path) {
    try {
      return path.isBlank() ? path : Path.of(path).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      throw new InvalidLocationException("\"" + path + "\" is no path: " + e.getMessage(), e);
    }
  }
}
