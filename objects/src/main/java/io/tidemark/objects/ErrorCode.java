// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Table of all error codes of all rooms, each with its kind, which gives the status of an HTTP
 * answer and the exit code. A few codes have an exit code of their own. The page
 * docs/reference/errors.md says when each of them is told.
 */
public enum ErrorCode {
  INVALID_KEY(ErrorKind.MALFORMED),
  INVALID_LOCATION(ErrorKind.MALFORMED),
  INVALID_CONNECTION(ErrorKind.MALFORMED),
  INVALID_ADDRESS(ErrorKind.MALFORMED),
  INVALID_FILTER(ErrorKind.MALFORMED),
  INVALID_SQL(ErrorKind.MALFORMED),
  INVALID_NAME(ErrorKind.MALFORMED),
  INVALID_PAYLOAD(ErrorKind.MALFORMED),
  INVALID_CRON(ErrorKind.MALFORMED),

  INVALID_SCHEMA(ErrorKind.INVALID),
  INVALID_VALUE(ErrorKind.INVALID),
  INVALID_QUERY(ErrorKind.INVALID),
  INVALID_FEATURE(ErrorKind.INVALID),
  INVALID_REQUEST(ErrorKind.INVALID),
  INVALID_INPUT(ErrorKind.INVALID),
  INVALID_TOKEN(ErrorKind.INVALID, 7),
  EVENT_FROM_THE_FUTURE(ErrorKind.INVALID),
  MAX_EVENT_CHAIN_DEPTH(ErrorKind.INVALID),
  MIGRATION(ErrorKind.INVALID),
  TRANSFER(ErrorKind.INVALID, 1),

  ACCESS_DENIED(ErrorKind.FORBIDDEN, 5),
  REFUSED_SQL(ErrorKind.FORBIDDEN),
  REFUSED_TARGET(ErrorKind.FORBIDDEN),

  NOT_FOUND(ErrorKind.NOT_FOUND),
  COLLECTION_NOT_FOUND(ErrorKind.NOT_FOUND),
  UNKNOWN_EVENT(ErrorKind.NOT_FOUND),
  UNINITIALIZED(ErrorKind.NOT_FOUND, 5),

  RETRACTED(ErrorKind.GONE, 7),
  LOG_GONE(ErrorKind.GONE),
  HISTORY_GONE(ErrorKind.GONE),

  ALREADY_EXISTS(ErrorKind.CONFLICT),
  ALREADY_INITIALIZED(ErrorKind.CONFLICT, 4),
  DUPLICATE_ID(ErrorKind.CONFLICT, 4),
  CONTENTION(ErrorKind.CONFLICT),
  LOCK_CONTENTION(ErrorKind.CONFLICT),
  HEAD_MISMATCH(ErrorKind.CONFLICT),
  SCHEMA_OUTDATED(ErrorKind.CONFLICT, 3),
  LEASE_LOST(ErrorKind.CONFLICT, 5),
  LEASE_EXPIRED(ErrorKind.CONFLICT, 5),

  REFUSED(ErrorKind.REFUSED),
  REFUSED_DROP(ErrorKind.REFUSED),

  BATCH_SIZE_EXCEEDED(ErrorKind.TOO_LARGE),
  OUTBOX_TOO_LARGE(ErrorKind.TOO_LARGE),

  SQL_LIMIT(ErrorKind.UNPROCESSABLE),
  QUERY_STOPPED(ErrorKind.UNPROCESSABLE),
  UNDECODABLE_PAYLOAD(ErrorKind.UNPROCESSABLE),

  UNAVAILABLE(ErrorKind.UNAVAILABLE),
  BUSY(ErrorKind.UNAVAILABLE),
  STOPPING(ErrorKind.UNAVAILABLE),
  STORAGE_FULL(ErrorKind.UNAVAILABLE),
  STOPPED(ErrorKind.UNAVAILABLE),

  OUTCOME_UNKNOWN(ErrorKind.OUTCOME_UNKNOWN),

  STORAGE_FAILURE(ErrorKind.STORAGE_FAILURE),
  UNSUPPORTED_STORE(ErrorKind.STORAGE_FAILURE),
  STORAGE_UNUSABLE(ErrorKind.STORAGE_FAILURE),
  QUERY_FAILED(ErrorKind.STORAGE_FAILURE),
  CORRUPT(ErrorKind.STORAGE_FAILURE),

  INVALID_ACCESS(ErrorKind.FAILED, 7),
  CLUSTER_FAILURE(ErrorKind.FAILED),
  GIVE_UP(ErrorKind.FAILED),
  WEBHOOK_FAILED(ErrorKind.FAILED);

  private static final Map<String, ErrorCode> BY_TEXT =
      Arrays.stream(values()).collect(Collectors.toMap(ErrorCode::text, Function.identity()));

  private final String text;
  private final ErrorKind kind;
  private final int exitCode;

  ErrorCode(ErrorKind kind) {
    this(kind, kind.exitCode());
  }

  ErrorCode(ErrorKind kind, int exitCode) {
    this.text = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.kind = kind;
    this.exitCode = exitCode;
  }

  /** Returns the code that is written so; empty if a newer version made it. */
  public static Optional<ErrorCode> of(String text) {
    return Optional.ofNullable(BY_TEXT.get(text));
  }

  /** Returns the code as programs read it, the same from release to release. */
  public String text() {
    return text;
  }

  public ErrorKind kind() {
    return kind;
  }

  /** Returns the exit code of a command that ends with this error. */
  public int exitCode() {
    return exitCode;
  }
}
