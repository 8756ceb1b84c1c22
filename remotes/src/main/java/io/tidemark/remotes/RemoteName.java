// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import java.util.regex.Pattern;

/**
 * What a remote is called here. It is one step of the path of what is remembered of it, so it has
 * no character that could make it another.
 */
public record RemoteName(String text) implements Comparable<RemoteName> {

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** What a remote is called that nobody has given a name. */
  public static final RemoteName ORIGIN = new RemoteName("origin");

  public RemoteName {
    if (!ALLOWED.matcher(text).matches()) {
      throw new InvalidRemoteException(
          "\""
              + text
              + "\" can't be the name of a remote; use 1 to 64 letters, digits, '.', '_' and '-',"
              + " the first a letter or a digit");
    }
  }

  @Override
  public int compareTo(RemoteName other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
