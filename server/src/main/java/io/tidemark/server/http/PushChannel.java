// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Channel of a live answer, written by whichever thread has data. The connection serves no further
 * request, so that a disconnect can be detected at once. Otherwise it would go unnoticed until the
 * next write, and dead connections would use up the limit on subscribers.
 */
public final class PushChannel {

  /**
   * Producer of a live answer; it is started on the thread that took the request and must not
   * block.
   */
  @FunctionalInterface
  public interface Producer {
    void begin(PushChannel pushChannel);
  }

  private static final int ODD_BYTES = 64;

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final AtomicBoolean ended = new AtomicBoolean();

  private PushChannel(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
  }

  static void begin(Producer producer, Request request, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1) {
      // Without chunks, the end of the connection would count as the end of the answer.
      response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED);
    }
    request.addIdleTimeoutListener(timeout -> false); // a live answer may be idle
    producer.begin(new PushChannel(request, response, callback));
  }

  /** Writes bytes; the next write must wait for the callback. */
  public void write(ByteBuffer bytes, Callback done) {
    response.write(false, bytes, done);
  }

  /** Writes the last bytes and completes the answer. */
  public void end(ByteBuffer last) {
    if (ended.compareAndSet(false, true)) {
      response.write(true, last, callback);
    }
  }

  /** Closes the connection, so that a write in progress fails. */
  public void closeConnection(Throwable why) {
    connection().close(why);
  }

  private EndPoint connection() {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  /** Fails the answer, so that the client sees that it is incomplete. */
  public void fail(Throwable why) {
    if (ended.compareAndSet(false, true)) {
      callback.failed(why);
    }
  }

  /** Registers a callback for a disconnect, which may be called more than once. */
  public void onDisconnect(Runnable gone) {
    request.addFailureListener(failure -> gone.run());
    listen(connection(), gone);
  }

  private static void listen(EndPoint connection, Runnable gone) {
    boolean unused =
        connection.tryFillInterested(
            Callback.from(
                InvocationType.NON_BLOCKING,
                () -> {
                  if (isClosed(connection)) {
                    gone.run();
                  } else {
                    listen(connection, gone);
                  }
                },
                failure -> gone.run()));
  }

  /** Returns whether a connection is closed, or the client has sent unexpected bytes. */
  private static boolean isClosed(EndPoint connection) {
    try {
      return connection.fill(BufferUtil.allocate(ODD_BYTES)) != 0;
    } catch (IOException e) {
      return true;
    }
  }
}
