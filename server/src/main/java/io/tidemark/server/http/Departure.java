// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Tells when a caller has gone while its request is worked on.
 *
 * <p>While nobody reads from a connection, Jetty doesn't notice its end. So its selector is asked
 * to say when the connection can be read: if there is nothing to be read then, it has ended. A
 * caller that has only ended its own side counts as gone. Connections of TLS aren't watched, since
 * what can be read there needn't be of the caller.
 */
final class Departure implements AutoCloseable {

  private final SocketChannelEndPoint connection;
  private final Runnable gone;
  private final AtomicBoolean over = new AtomicBoolean();

  private Departure(SocketChannelEndPoint connection, Runnable gone) {
    this.connection = connection;
    this.gone = gone;
  }

  /**
   * Watches from now on until what it gives is closed, which has to be before the answer ends.
   *
   * @param request whose body is read no more
   * @param gone is called at most once, by another thread, and must not wait
   */
  static Optional<Departure> watch(Request request, Runnable gone) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    if (!(end instanceof SocketChannelEndPoint plain)) {
      return Optional.empty();
    }
    Departure watched = new Departure(plain, gone);
    Callback readable =
        Callback.from(InvocationType.NON_BLOCKING, watched::look, failure -> watched.tell());
    return plain.tryFillInterested(readable) ? Optional.of(watched) : Optional.empty();
  }

  /** It has gone, or has sent another request behind this one and nothing can be told. */
  private void look() {
    if (!over.get() && isEnded()) {
      tell();
    }
  }

  private void tell() {
    if (over.compareAndSet(false, true)) {
      gone.run();
    }
  }

  private boolean isEnded() {
    try {
      return connection.getChannel().socket().getInputStream().available() == 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    over.set(true);
    // Takes back the interest, since the connection asks to read the next request by itself.
    boolean unused = connection.getFillInterest().fillable();
  }
}
