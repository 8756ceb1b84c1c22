// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import java.util.Optional;

/**
 * The name of a branch, held to the rules of addresses, under which a ledger's branches are known
 * to the nameservice.
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
   * Where the branch has its own objects, with a {@code /} at its end; empty for main. One step of
   * the path for each name, since a name has no {@code %} of its own.
   */
  public String directory() {
    return isMain() ? "" : BRANCHES + text.replace(SLASH, ESCAPED_SLASH) + SLASH;
  }

  /** Where the branch has its documents whose head has this epoch; with a {@code /} at its end. */
  public String epochDirectory(String epoch) {
    return directory() + epoch + SLASH;
  }

  /** The branch that a path below {@link #BRANCHES} is of; empty when it is of none. */
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
      return false; // somebody else's directory
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
