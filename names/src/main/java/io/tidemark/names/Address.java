// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Address of a record: a name and a branch of it, written {@code name:branch}. The branch may be
 * left out and is then {@code main}.
 *
 * <p>Both are segments of letters, digits, {@code .}, {@code _} and {@code -}, joined by {@code /};
 * no segment is {@code .} or {@code ..}. So an address can stand in a path, in a URL and in a table
 * of people's.
 *
 * @param name 1 to 255 characters
 * @param branch 1 to 128 characters
 */
public record Address(String name, String branch) implements Comparable<Address> {

  /** The branch that is meant when none is named. */
  public static final String MAIN = "main";

  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_BRANCH = 128;
  private static final Pattern SEGMENTS = Pattern.compile("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*");
  private static final Pattern DOTS = Pattern.compile("(^|.*/)\\.\\.?(/.*|$)");

  public Address {
    check("name", name, name, LONGEST_NAME);
    check("branch", branch, name + ":" + branch, LONGEST_BRANCH);
  }

  /** Reads {@code name} or {@code name:branch}. */
  public static Address parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return new Address(text, MAIN);
    }
    if (colon == 0) {
      throw new InvalidAddressException(text, "has an empty name; write name or name:branch");
    }
    String branch = text.substring(colon + 1);
    if (branch.indexOf(':') >= 0) {
      throw new InvalidAddressException(text, "has more than one ':'; write name or name:branch");
    }
    return new Address(text.substring(0, colon), branch);
  }

  /** Returns the address of another branch of the same name. */
  public Address onBranch(String other) {
    return new Address(name, other);
  }

  @Override
  public int compareTo(Address other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return name + ":" + branch;
  }

  /** Refuses a part, and shows as much of the address as is needed to find it. */
  private static void check(String part, String text, String shown, int longest) {
    if (text.isEmpty()) {
      throw new InvalidAddressException(
          shown, "has an empty " + part + "; write name or name:branch");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > longest) {
      throw new InvalidAddressException(
          shown, "has a " + part + " of more than " + longest + " characters; shorten it");
    }
    if (!SEGMENTS.matcher(text).matches() || DOTS.matcher(text).matches()) {
      throw new InvalidAddressException(
          shown,
          "has a "
              + part
              + " that isn't allowed; use letters, digits, '.', '_' and '-', in parts"
              + " joined by '/', none of them '.' or '..'");
    }
  }
}
