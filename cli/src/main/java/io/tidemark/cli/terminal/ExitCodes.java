// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Exit codes of the command; {@code ErrorKind} says which of them a failure ends with. */
public final class ExitCodes {

  public static final int OK = 0;

  /** The operation failed, or its object doesn't exist. */
  public static final int FAILED = 1;

  /** The command line is invalid. */
  public static final int USAGE = 2;

  /** The declared types aren't those of the ledger. */
  public static final int SCHEMA = 3;

  /** The request is invalid: a value, a type or the order is wrong. */
  public static final int EXECUTION = 4;

  /** The store couldn't be reached, read or written. */
  public static final int STORAGE = 5;

  /** A concurrent change won, or the object exists already. */
  public static final int CONFLICT = 6;

  /** The operation would do harm that no option accepted. */
  public static final int REFUSED = 7;

  private ExitCodes() {}
}
