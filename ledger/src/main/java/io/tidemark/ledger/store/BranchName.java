// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import java.util.Optional;

/**
 * Name of a branch, which follows the rules of addresses, under which the nameservice knows the
 * branches of a ledger.
 */
public record BranchName(String text) {

  public static final BranchName MAIN = new BranchName(Address.MAIN);

  /** Directory of the objects that branches other than main have of their own. */
  public static final String BRANCHES = "branches/";

  private static final String SLASH = "/";
  private static final String ESCAPED_SLASH = "%2F";

  public BranchName {
    new Address("ledger", text); // refuses what is no name
  }

  public boolean isMain() {
    return text.equals(Address.MAIN);
  }

  /**
   * Returns the directory of the branch's own objects, with a {@code /} at its end; empty for main.
   * The path has one step for each name, since a name has no {@code %} of its own.
   */
  public String directory() {
    return isMain() ? "" : BRANCHES + text.replace(SLASH, ESCAPED_SLASH) + SLASH;
  }

  /**
   * Returns the directory, with a {@code /} at its end, of a branch's documents under a head of
   * this epoch.
   */
  public String epochDirectory(String epoch) {
    return directory() + epoch + SLASH;
  }

  /** Returns the branch of a path below {@link #BRANCHES}, or empty if it belongs to none. */
  public static Optional<BranchName> of(String path) {
    int end = path.indexOf('/', BRANCHES.length());
    if (!path.startsWith(BRANCHES) || end < 0) {
      return Optional.empty();
    }
    String name = path.substring(BRANCHES.length(), end).replace(ESCAPED_SLASH, SLASH);
    return isName(name) ? Optional.of(new BranchName(name)) : Optional.empty();
  }

  private static boolean isName(String name) {
    try {
      return !new BranchName(name).isMain();
    } catch (InvalidAddressException e) {
      return false; // a directory of another program
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
