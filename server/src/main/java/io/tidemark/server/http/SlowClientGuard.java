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
 * Guard against slow and idle clients, which closes connections that waste the server's time.
 *
 * <p>An idle timeout alone doesn't help against a client that sends a byte now and then. So there
 * are three rules. First, a connection without a request in progress has the idle time to complete
 * the head of its next request. The time starts with its last answer, or with the connection.
 * Second, time that the server waits for a body to arrive or for an answer to be read counts as
 * debt. Progress pays the debt off at the minimum rate, and a connection whose debt exceeds the
 * grace period is closed. Third, when the server is nearly at its limit of connections, it closes
 * those that have been idle the longest, to make room for clients with requests.
 *
 * <p>One periodic task checks all connections.
 *
 * <p>Jetty's {@code MinimumDataRateHandler} isn't enough. It sees no request before its head is
 * complete, gives no grace, sets off fast progress against slowness later, and checks a rate only
 * when bytes arrive. With it in the place of this class AbuseTest's {@code
 * whoSendsAByteNowAndThenHoldsUpNobodyAndIsClosed} finds slow senders still connected after
 * minutes, and WatchCrowdTest finds streams aborted that are read in time. CrowdTest needs the
 * third rule.
 */
public final class SlowClientGuard extends Handler.Wrapper implements Connection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(SlowClientGuard.class);

  /**
   * Share of the connection limit, in tenths, at which idle connections are closed; the next
   * constant is the share to which they are reduced.
   */
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

  /** Returns the number of open connections. */
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
    // TLS wraps the connection meant here in one of its own, which is skipped.
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

  /** Closes connections without a request, so that a stopping server doesn't wait for them. */
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

  /** State of a connection. */
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

  /** Time that the client has kept the server waiting, less credit for its progress. */
  private final class WaitBudget {
    private long nanos;
    private long waitsFor;
    private boolean waits;
    private long since;

    synchronized void reset() {
      nanos = 0;
      waits = false;
    }

    /** Starts to wait, for this many bytes to be sent or for any to arrive. */
    synchronized void begin(long bytes) {
      if (!waits) {
        waits = true;
        waitsFor = bytes;
        since = System.nanoTime();
      }
    }

    /** Credits this many bytes that were sent or have arrived. */
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

  /** Request that measures how long the server waits for bytes to arrive. */
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

  /** Response that measures how long the server waits for bytes to be read. */
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
