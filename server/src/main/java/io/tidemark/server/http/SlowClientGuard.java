// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections that waste the server's time.
 *
 * <p>An idle timeout alone doesn't help against somebody who sends a byte now and then. So there
 * are three rules. Without a request under way, a connection has the idle time from its last
 * answer, or from its beginning, until the head of a request is complete. While the server waits
 * for the body of a request, or for its answer to be taken, the time it waits is a debt that what
 * comes or is taken pays off at the lowest rate that is allowed; who owes more than the grace is
 * closed. And when nearly as many connections are open as there may be, those are closed that have
 * been without a request the longest, so that whoever comes with one finds a place.
 *
 * <p>All are looked at by and by, in one task for all connections.
 *
 * <p>Jetty's {@code MinimumDataRateHandler} isn't enough. It sees no request before its head is
 * complete, gives no grace, sets what came fast against what comes slowly later, and looks at a
 * rate only when something comes: with it in the place of this class AbuseTest's {@code
 * whoSendsAByteNowAndThenHoldsUpNobodyAndIsClosed} finds slow senders still connected after
 * minutes, and WatchCrowdTest streams broken off that are read in time. CrowdTest needs the third
 * rule.
 */
public final class SlowClientGuard extends Handler.Wrapper implements Connection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(SlowClientGuard.class);

  /** How full it is, in tenths, when connections are closed for others, and how full then. */
  private static final int CROWDED = 9;

  private static final int CLEARED = 8;

  private final Limits.Pace pace;
  private final int most;
  private final Map<Connection, ConnectionState> visits = new ConcurrentHashMap<>();
  private final ReentrantLock looking = new ReentrantLock();
  private volatile long looked = System.nanoTime();

  public SlowClientGuard(Limits limits, Handler next) {
    super(next);
    this.pace = limits.pace();
    this.most = limits.crowd().connections();
  }

  /** How many connections are open. */
  public int connections() {
    return visits.size();
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    scheduleCheck();
  }

  @Override
  public void onOpened(Connection connection) {
    // TLS has a connection of its own around the one that is meant.
    if (connection instanceof ConnectionMetaData) {
      visits.put(connection, new ConnectionState());
      if (isNearCapacity() && System.nanoTime() - looked > TimeUnit.MILLISECONDS.toNanos(20)) {
        closeOverdue();
      }
    }
  }

  @Override
  public void onClosed(Connection connection) {
    visits.remove(connection);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    ConnectionState connectionState = visits.get(request.getConnectionMetaData().getConnection());
    if (connectionState == null) {
      return super.handle(request, response, callback);
    }
    connectionState.begin();
    Request.addCompletionListener(request, failure -> connectionState.end());
    Request paced = new PacedRequest(request, connectionState.reading);
    return super.handle(
        paced, new PacedResponse(paced, response, connectionState.writing), callback);
  }

  private void scheduleCheck() {
    long every = Math.max(20, Math.min(1000, pace.idle().toMillis() / 10));
    getServer()
        .getScheduler()
        .schedule(
            () -> {
              if (isRunning() || isStarting()) {
                closeOverdue();
                scheduleCheck();
              }
            },
            every,
            TimeUnit.MILLISECONDS);
  }

  private void closeOverdue() {
    if (!looking.tryLock()) {
      return;
    }
    try {
      long now = System.nanoTime();
      visits.forEach(
          (connection, connectionState) -> {
            if (connectionState.isOverdue(now)) {
              close(connection, "it takes too long");
            }
          });
      if (isNearCapacity()) {
        closeLongestIdle();
      }
    } finally {
      looked = System.nanoTime();
      looking.unlock();
    }
  }

  private boolean isNearCapacity() {
    return visits.size() * 10L > most * (long) CROWDED;
  }

  private void closeLongestIdle() {
    long surplus = visits.size() - most * (long) CLEARED / 10;
    record Waiting(Connection connection, long since) {}
    List<Waiting> waiting =
        visits.entrySet().stream()
            .filter(entry -> !entry.getValue().busy)
            .map(entry -> new Waiting(entry.getKey(), entry.getValue().since))
            .sorted(Comparator.comparingLong(Waiting::since))
            .limit(surplus)
            .toList();
    waiting.forEach(one -> close(one.connection, "others need its place"));
  }

  /** Closes those without a request, so that a server that stops waits for none of them. */
  public void closeIdle() {
    visits.forEach(
        (connection, connectionState) -> {
          if (!connectionState.busy) {
            close(connection, "the server stops");
          }
        });
  }

  private void close(Connection connection, String why) {
    LOG.debug(
        "closes the connection of {}: {}", connection.getEndPoint().getRemoteSocketAddress(), why);
    visits.remove(connection);
    connection.getEndPoint().close(new TimeoutException(why));
  }

  /** A connection, and what it does. */
  private final class ConnectionState {
    private final WaitBudget reading = new WaitBudget();
    private final WaitBudget writing = new WaitBudget();
    private volatile boolean busy;
    private volatile long since = System.nanoTime();

    void begin() {
      reading.reset();
      writing.reset();
      busy = true;
    }

    void end() {
      since = System.nanoTime();
      busy = false;
    }

    boolean isOverdue(long now) {
      return busy
          ? reading.isOverdue(now) || writing.isOverdue(now)
          : now - since > pace.idle().toNanos();
    }
  }

  /** How long the other side has kept the server waiting, less what it has done meanwhile. */
  private final class WaitBudget {
    private long nanos;
    private long waitsFor;
    private boolean waits;
    private long since;

    synchronized void reset() {
      nanos = 0;
      waits = false;
    }

    /** From now on it waits, for so many bytes to go or for any to come. */
    synchronized void begin(long bytes) {
      if (!waits) {
        waits = true;
        waitsFor = bytes;
        since = System.nanoTime();
      }
    }

    /** So many bytes went or came. */
    synchronized void credit(long bytes) {
      if (waits) {
        nanos += System.nanoTime() - since;
        waits = false;
      }
      nanos = Math.max(0, nanos - timeFor(bytes));
    }

    synchronized boolean isOverdue(long now) {
      return waits && nanos + now - since > pace.grace().toNanos() + timeFor(waitsFor);
    }

    private long timeFor(long bytes) {
      return pace.allowed(bytes).minus(pace.grace()).toNanos();
    }
  }

  /** Notes how long it takes until something comes. */
  private static final class PacedRequest extends Request.Wrapper {
    private final WaitBudget waitBudget;

    PacedRequest(Request request, WaitBudget waitBudget) {
      super(request);
      this.waitBudget = waitBudget;
    }

    @Override
    public Content.Chunk read() {
      Content.Chunk chunk = super.read();
      if (chunk != null) {
        waitBudget.credit(chunk.remaining());
      }
      return chunk;
    }

    @Override
    public void demand(Runnable then) {
      waitBudget.begin(0);
      super.demand(then);
    }
  }

  /** Notes how long it takes until something is taken. */
  private static final class PacedResponse extends Response.Wrapper {
    private final WaitBudget waitBudget;

    PacedResponse(Request request, Response response, WaitBudget waitBudget) {
      super(request, response);
      this.waitBudget = waitBudget;
    }

    @Override
    public void write(boolean last, ByteBuffer bytes, Callback callback) {
      long length = bytes == null ? 0 : bytes.remaining();
      waitBudget.begin(length);
      super.write(last, bytes, Callback.from(() -> waitBudget.credit(length), callback));
    }
  }
}
