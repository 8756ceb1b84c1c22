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
 * Notice of a caller that goes away while its request is worked on.
 *
 * <p>While no thread reads from a connection, Jetty doesn't notice its end. So Jetty's selector
 * reports when the connection can be read: if there is nothing to read then, it has ended. The
 * selector may also report what another thread has read meanwhile, such as the body of this
 * request; so a report is checked by asking the connection once more, and the watch goes on after a
 * false one. A caller that has only ended its own side counts as gone. Connections of TLS aren't
 * watched, since what can be read there needn't be of the caller.
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
   * Watches from now on until what it gives is closed, which has to be before the answer ends.
   *
   * @param request whose body is read no more
   * @param gone is called at most once, by another thread, and must not wait
   */
  static Optional<DisconnectDetector> watch(Request request, Runnable gone) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    if (!(end instanceof SocketChannelEndPoint plain)) {
      return Optional.empty();
    }
    DisconnectDetector watched = new DisconnectDetector(plain, gone);
    return watched.listen() ? Optional.of(watched) : Optional.empty();
  }

  /** Asks the selector for one report; a callback holds for one only. */
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
        return; // another request behind this one: nothing can be told any more
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

  /** Asks the system, not the selector of the connection, whose reports may be late. */
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
    // Takes back the interest, since the connection asks to read the next request by itself.
    boolean unused = connection.getFillInterest().fillable();
  }
}
