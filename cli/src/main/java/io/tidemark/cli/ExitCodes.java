// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.objects.TidemarkException;

/** What the command ends with, for scripts to tell. */
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

  /** The exit code for a failure. */
  static int of(TidemarkException e) {
    return switch (e.code()) {
      case "invalid-key",
          "invalid-location",
          "invalid-connection",
          "invalid-address",
          "invalid-filter",
          "invalid-sql",
          "invalid-name",
          "invalid-payload" ->
          USAGE;
      case "schema-outdated" -> SCHEMA;
      case "invalid-schema",
          "invalid-value",
          "invalid-query",
          "invalid-feature",
          "invalid-request",
          "invalid-input",
          "duplicate-id",
          "event-from-the-future",
          "max-event-chain-depth",
          "sql-limit",
          "batch-size-exceeded",
          "migration",
          "already-initialized" ->
          EXECUTION;
      case "access-denied",
          "storage-full",
          "storage-failure",
          "unsupported-store",
          "unavailable",
          "outcome-unknown",
          "uninitialized",
          "storage-unusable",
          "lease-lost",
          "query-failed",
          "corrupt" ->
          STORAGE;
      case "already-exists", "contention", "lock-contention", "head-mismatch" -> CONFLICT;
      case "refused",
          "refused-sql",
          "retracted",
          "invalid-token",
          "invalid-access",
          "refused-drop" ->
          REFUSED;
      default -> FAILED;
    };
  }
}
