// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Detector of clients that disconnect while their request is in progress.
 *
 * <p>While no thread reads from a connection, Jetty doesn't notice its end. So Jetty's selector
 * reports when the connection becomes readable: if there is nothing to read then, it has ended. The
 * selector may also report bytes that another thread has read meanwhile, such as the body of this
 * request. So each report is checked by reading the connection's state once more, and the watch
 * goes on after a false one. A client that has closed only its own side counts as gone. TLS
 * connections aren't watched, since bytes on them may belong to the TLS protocol.
 */
final class DisconnectDetector implements AutoCloseable {

  private final SocketChannelEndPoint connection;
  private final Runnable gone;
  private boolean over; // guarded by this

  private DisconnectDetector(SocketChannelEndPoint connection, Runnable gone) {
    this.connection = connection;
    this.gone = gone;
  }

  /**
   * Watches a connection until the returned detector is closed, which must happen before the answer
   * ends.
   *
   * @param request request whose body isn't read any more
   * @param gone called at most once, on another thread; must not block
   */
  static Optional<DisconnectDetector> watch(Request request, Runnable gone) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    if (!(end instanceof SocketChannelEndPoint plain)) {
      return Optional.empty();
    }
    DisconnectDetector watched = new DisconnectDetector(plain, gone);
    return watched.listen() ? Optional.of(watched) : Optional.empty();
  }

  /** Requests one report from the selector; a callback is good for one report only. */
  private synchronized boolean listen() {
    return !over
        && connection.tryFillInterested(
            Callback.from(
                InvocationType.NON_BLOCKING, this::check, failure -> notifyDisconnected()));
  }

  private void check() {
    if (isOver()) {
      return;
    }
    try {
      if (available() > 0) {
        return; // another request follows this one: a disconnect can't be detected any more
      }
      if (canBeRead() && available() == 0) {
        notifyDisconnected();
      } else {
        boolean unused = listen();
      }
    } catch (IOException e) {
      notifyDisconnected();
    }
  }

  private int available() throws IOException {
    return connection.getChannel().socket().getInputStream().available();
  }

  /**
   * Returns whether the connection is readable, according to the operating system; the connection's
   * own selector may report late.
   */
  private boolean canBeRead() throws IOException {
    SocketChannel channel = connection.getChannel();
    try (Selector selector = Selector.open()) {
      SelectionKey unused = channel.register(selector, SelectionKey.OP_READ);
      return selector.selectNow() > 0;
    }
  }

  private synchronized boolean isOver() {
    return over;
  }

  private void notifyDisconnected() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    gone.run();
  }

  @Override
  public void close() {
    synchronized (this) {
      over = true;
    }
    // Withdraws the interest, since the connection itself asks to read the next request.
    boolean unused = connection.getFillInterest().fillable();
  }
}
