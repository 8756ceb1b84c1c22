// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stream of the transactions in the order of their sequence numbers, each once. A reader that
 * stores the {@link #position} it has processed can resume from there at any time, with another
 * feed and in another process.
 *
 * <p>The feed is notified of new transactions, and polls from time to time in case a notification
 * is lost. It reconnects when its connection breaks. It is for one thread at a time; any thread may
 * close it.
 */
public final class Feed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final Duration BEFORE_CONNECTING_AGAIN = Duration.ofMillis(100);

  private final FeatureStorage featureStorage;
  private final FeedOptions options;
  private final Deque<LoggedTransaction> fetched = new ArrayDeque<>();
  private long position;
  private @Nullable ListenerSession listenerSession;
  private volatile boolean closed;

  Feed(FeatureStorage featureStorage, long after, FeedOptions options) {
    this.featureStorage = featureStorage;
    this.options = options;
    this.position = after;
  }

  /** A connection, and the notification listener on it. */
  private record ListenerSession(SqlSession session, NotificationListener alarm) {}

  /**
   * Returns the number of the last transaction that was delivered, or after which it was to begin.
   */
  public long position() {
    return position;
  }

  /**
   * Returns the next transaction; empty when none has got its number in that time, or the feed is
   * closed.
   *
   * @throws StorageUnavailableException if the database couldn't be reached all that time; nothing
   *     is lost, it can be called again
   * @throws LogGoneException if the next one isn't in the log any more, or the log ends before the
   *     position
   */
  public Optional<LoggedTransaction> next(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    @Nullable TidemarkException last = null;
    while (!closed) {
      if (!fetched.isEmpty()) {
        return Optional.of(delivered());
      }
      Duration left = Duration.ofNanos(Math.max(end - System.nanoTime(), 0));
      try {
        if (!fetch()) {
          if (left.isZero()) {
            return Optional.empty();
          }
          awaitNotification(left);
        }
        last = null;
      } catch (LogGoneException e) {
        throw e;
      } catch (TidemarkException e) {
        disconnect();
        if (left.isZero()) {
          throw unreachable(last == null ? e : last);
        }
        last = e;
        LOG.debug("a feed has lost its connection and makes another", e);
        LockSupport.parkNanos(BEFORE_CONNECTING_AGAIN.toNanos());
      }
    }
    return Optional.empty();
  }

  private LoggedTransaction delivered() {
    LoggedTransaction next = fetched.getFirst();
    if (next.number() != position + 1) {
      long first = next.number();
      fetched.clear();
      throw LogGoneException.ofNumber(position + 1, first);
    }
    position = next.number();
    return fetched.removeFirst();
  }

  /** Returns whether transactions were fetched. */
  private boolean fetch() {
    SqlSession sqlSession = listenerSession().session();
    begin(sqlSession);
    try {
      List<LoggedTransaction> found =
          new LogReader(sqlSession).numbered(position + 1, options.batch());
      if (found.isEmpty()) {
        checkNoneIsGone(sqlSession);
      }
      fetched.addAll(found);
      return !found.isEmpty();
    } finally {
      end(sqlSession);
    }
  }

  private static void begin(SqlSession sqlSession) {
    sqlSession.with(
        connection -> {
          connection.setAutoCommit(false);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          return true;
        });
  }

  private static void end(SqlSession sqlSession) {
    sqlSession.with(
        connection -> {
          connection.rollback();
          connection.setAutoCommit(true);
          return true;
        });
  }

  /**
   * Checks that the log is empty because no transaction came, not because days were dropped or it
   * is another log.
   */
  private void checkNoneIsGone(SqlSession sqlSession) {
    long last = new LogReader(sqlSession).lastNumber();
    if (last < position) {
      throw LogGoneException.ahead(position, last);
    }
    if (last > position) {
      throw LogGoneException.ofNumber(position + 1, last + 1);
    }
  }

  /** Waits until a notification comes or the next poll is due. */
  private void awaitNotification(Duration left) {
    boolean unused =
        listenerSession()
            .alarm()
            .awaitNotification(left.compareTo(options.poll()) < 0 ? left : options.poll());
  }

  private ListenerSession listenerSession() {
    ListenerSession open = listenerSession;
    if (open == null) {
      SqlSession sqlSession = featureStorage.dedicatedSession();
      open = new ListenerSession(sqlSession, new NotificationListener(sqlSession, "naksha_seq_"));
      synchronized (this) {
        listenerSession = open;
      }
      if (closed) {
        disconnect();
        throw new StorageUnavailableException("the feed is closed; open another");
      }
    }
    return open;
  }

  private synchronized void disconnect() {
    ListenerSession open = listenerSession;
    listenerSession = null;
    if (open != null) {
      open.session().abort();
    }
  }

  private static StorageUnavailableException unreachable(TidemarkException e) {
    return new StorageUnavailableException(
        "the feed can't reach the database: "
            + e.getMessage()
            + "; it goes on where it was when it is asked again",
        e);
  }

  @Override
  public void close() {
    closed = true;
    disconnect();
  }
}
