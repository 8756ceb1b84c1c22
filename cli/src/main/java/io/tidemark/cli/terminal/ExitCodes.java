// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Exit codes of the command; {@code ErrorKind} says which of them a failure ends with. */
public final class ExitCodes {

  public static final int OK = 0;

  /** It couldn't be done, or there is no such thing. */
  public static final int FAILED = 1;

  /** The command line wasn't understood. */
  public static final int USAGE = 2;

  /** The types that were declared aren't those of the ledger. */
  public static final int SCHEMA = 3;

  /** It was understood and can't be done as asked: a value, a type or the order is wrong. */
  public static final int EXECUTION = 4;

  /** The store couldn't be reached, read or written. */
  public static final int STORAGE = 5;

  /** Somebody was faster, or something is there already. */
  public static final int CONFLICT = 6;

  /** It would do harm that it wasn't told to accept. */
  public static final int REFUSED = 7;

  private ExitCodes() {}
}
