// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

/**
 * Kind of an error: what a caller can do about it, the status of an HTTP answer and the exit code
 * of a command. {@link ErrorCode} gives each code its kind.
 */
public enum ErrorKind {
  /** A name, an address, a condition or a statement that can't be parsed. */
  MALFORMED(400, 2),

  /** A request that was parsed, with a value or a combination that isn't allowed. */
  INVALID(400, 4),

  /** The caller has no right to it, or the system never does it. */
  FORBIDDEN(403, 7),

  /** The thing doesn't exist. */
  NOT_FOUND(404, 1),

  /** The thing existed and was retired or dropped. */
  GONE(410, 1),

  /** Another writer was faster, or the object exists already. */
  CONFLICT(409, 6),

  /** The operation would do harm that the caller didn't accept, or the state doesn't allow it. */
  REFUSED(409, 7),

  /** The request is larger than what is accepted at once. */
  TOO_LARGE(413, 4),

  /** Carrying it out exceeds a limit, or the content can't be processed. */
  UNPROCESSABLE(422, 4),

  /** A service can't be reached or is overloaded; nothing was changed, a retry may succeed. */
  UNAVAILABLE(503, 5),

  /** The answer was lost; the change may have been made. */
  OUTCOME_UNKNOWN(504, 5),

  /** The storage failed, or what is stored is damaged or can't be used. */
  STORAGE_FAILURE(500, 5),

  /** The operation failed for another reason. */
  FAILED(500, 1);

  private final int status;
  private final int exitCode;

  ErrorKind(int status, int exitCode) {
    this.status = status;
    this.exitCode = exitCode;
  }

  /** Returns the kind of an error that only its HTTP status tells. */
  public static ErrorKind ofStatus(int status) {
    return switch (status) {
      case 401, 403 -> FORBIDDEN;
      case 404 -> NOT_FOUND;
      case 409, 412 -> CONFLICT;
      case 410 -> GONE;
      case 413, 414, 431 -> TOO_LARGE;
      case 422 -> UNPROCESSABLE;
      case 429, 503 -> UNAVAILABLE;
      case 504 -> OUTCOME_UNKNOWN;
      default -> status >= 400 && status < 500 ? INVALID : FAILED;
    };
  }

  /** Returns the status of an HTTP answer. */
  public int status() {
    return status;
  }

  /** Returns the exit code of a command, unless the code has one of its own. */
  public int exitCode() {
    return exitCode;
  }
}
