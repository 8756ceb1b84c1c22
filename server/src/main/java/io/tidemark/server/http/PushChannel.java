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
 * Where a live answer is written, by whichever thread has something to write. The connection isn't
 * used for another request, so that it can be told at once that the other side is gone: as long as
 * nothing is written nobody would notice otherwise, and the dead would take the place of the
 * living.
 */
public final class PushChannel {

  /** Writes a live answer; is begun by the thread that took the request, and must not block. */
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
      // Or the end of the connection would be the end of the answer, whoever caused it.
      response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED);
    }
    request.addIdleTimeoutListener(timeout -> false); // to have nothing to say is no fault here
    producer.begin(new PushChannel(request, response, callback));
  }

  /** Writes some; nothing more may be written before that is done. */
  public void write(ByteBuffer bytes, Callback done) {
    response.write(false, bytes, done);
  }

  /** Writes the last of it. */
  public void end(ByteBuffer last) {
    if (ended.compareAndSet(false, true)) {
      response.write(true, last, callback);
    }
  }

  /** Closes the connection, so that a write that is under way fails. */
  public void closeConnection(Throwable why) {
    connection().close(why);
  }

  private EndPoint connection() {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  /** Ends without what was to come, so that nobody takes it for the whole. */
  public void fail(Throwable why) {
    if (ended.compareAndSet(false, true)) {
      callback.failed(why);
    }
  }

  /** Has itself told, once or more often, when the other side is gone or the connection broken. */
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

  /**
   * Returns whether a connection says that it is over, or something that it has no right to say.
   */
  private static boolean isClosed(EndPoint connection) {
    try {
      return connection.fill(BufferUtil.allocate(ODD_BYTES)) != 0;
    } catch (IOException e) {
      return true;
    }
  }
}
