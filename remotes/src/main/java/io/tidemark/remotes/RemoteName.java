// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import java.util.regex.Pattern;

/**
 * Local name of a remote. It is one step of the path of its tracking documents, so it has no
 * character that could change the path.
 */
public record RemoteName(String text) implements Comparable<RemoteName> {

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** Default name of a remote. */
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
