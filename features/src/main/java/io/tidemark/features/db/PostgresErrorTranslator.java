// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.objects.TidemarkException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Translates errors of PostgreSQL into exceptions of Tidemark. */
public final class PostgresErrorTranslator {

  /** A table, a function, a schema. */
  private static final Set<String> MISSING = Set.of("42P01", "42883", "3F000");

  private PostgresErrorTranslator() {}

  /**
   * Returns the exception for a failed statement. Its message is the server's, with its hint, and
   * never holds the address of the database, in which there may be a password.
   */
  public static TidemarkException translate(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    String text = text(e);
    if (state.equals("N0002")) {
      return new CollectionNotFoundException(text, e);
    }
    if (state.equals("N0004")) {
      return new StorageUnusableException(text, e);
    }
    if (state.equals("42501") || state.equals("3F000")) {
      return new StorageUnusableException(text + "; grant the rights that are missing", e);
    }
    return switch (state.substring(0, 2)) {
      // Names, data and conditions that were given: nothing that waiting helps with.
      case "N0", "22", "23", "42", "54" -> new InvalidRequestException(text, e);
      case "40" ->
          new StorageUnavailableException(
              text + "; the transaction lost against another one, do it again", e);
      default ->
          new StorageUnavailableException(
              text + " (" + state + "); nothing was changed, try again", e);
    };
  }

  /** Returns the exception for a first connection that failed, without the address as above. */
  static StorageUnavailableException translateConnect(PoolInitializationException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String state = cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "";
    String text = cause.getMessage();
    if (state.startsWith("28")) {
      return new StorageUnavailableException(
          "PostgreSQL refuses the connection: " + text + "; check user and password", e);
    }
    if (state.startsWith("3D")) {
      return new StorageUnavailableException(
          "PostgreSQL refuses the connection: " + text + "; check the name, or create it", e);
    }
    String why =
        cause.getCause() instanceof UnknownHostException host
            ? "the host %s isn't known".formatted(host.getMessage())
            : text;
    return new StorageUnavailableException(
        "PostgreSQL can't be reached: " + why + "; check its address", e);
  }

  /** Translates an error of a commit, which may have taken place although its answer is lost. */
  static TidemarkException translateCommit(SQLException e) {
    TidemarkException known = translate(e);
    return isConnectionLost(known)
        ? new StorageUnavailableException(
            text(e) + "; it isn't known whether the commit took place, look before doing it again",
            e)
        : known;
  }

  /** Returns whether the connection was lost, so that the outcome on the server is unknown. */
  static boolean isConnectionLost(TidemarkException e) {
    return state(e).startsWith("08") || state(e).startsWith("57P");
  }

  /** Returns whether the transaction was the victim of a deadlock. */
  public static boolean isDeadlock(TidemarkException e) {
    return state(e).equals("40P01");
  }

  /**
   * Returns whether the transaction lost against another one, and may succeed when all of it is
   * repeated.
   */
  public static boolean isRetryable(TidemarkException e) {
    return isDeadlock(e) || isTableReplaced(e);
  }

  /** Returns whether tables were replaced since the snapshot was taken. */
  public static boolean isTableReplaced(TidemarkException e) {
    return state(e).equals("40001");
  }

  /** Returns whether a lock wasn't granted within the lock timeout. */
  public static boolean isLockTimeout(TidemarkException e) {
    return state(e).equals("55P03");
  }

  /** Returns whether a unique object or key exists already. */
  public static boolean isDuplicate(TidemarkException e) {
    return state(e).equals("23505");
  }

  /** Returns whether the server rejects the rows themselves. */
  public static boolean isInvalidData(TidemarkException e) {
    return state(e).startsWith("22") || state(e).startsWith("23");
  }

  /** Returns whether tables have dependent objects that would be lost with them. */
  public static boolean isDependencyLoss(TidemarkException e) {
    return state(e).equals("N0003");
  }

  /**
   * Returns whether a replica fails where the primary need not. The replica doesn't have the
   * storage yet, is gone, or has cancelled the statement or the session. It cancels when changes of
   * the primary to the tables can't wait any longer for readers; a read-only statement is cancelled
   * so for no other reason.
   */
  public static boolean isReplicaFailure(TidemarkException e) {
    return isStorageMissing(e) || state(e).startsWith("40") || isConnectionLost(e);
  }

  /** Returns whether the storage is missing or incomplete. */
  static boolean isStorageMissing(TidemarkException e) {
    return MISSING.contains(state(e));
  }

  private static String state(TidemarkException e) {
    return e.getCause() instanceof SQLException cause ? String.valueOf(cause.getSQLState()) : "";
  }

  private static String text(SQLException e) {
    @Nullable ServerErrorMessage server =
        e instanceof PSQLException known ? known.getServerErrorMessage() : null;
    if (server == null) {
      return "PostgreSQL can't be reached: " + e.getMessage();
    }
    String hint = server.getHint();
    return hint == null ? String.valueOf(server.getMessage()) : server.getMessage() + "; " + hint;
  }
}
