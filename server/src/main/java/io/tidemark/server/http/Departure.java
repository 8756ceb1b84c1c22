// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectableChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a caller has gone while its request is worked on.
 *
 * <p>While nobody reads from a connection, Jetty doesn't notice its end. So its socket is watched
 * beside, by one thread for all: when it can be read, and there is nothing to be read, it has
 * ended. A caller who has only ended its own side counts as gone. The sockets of TLS aren't
 * watched, since what can be read there needn't be of the caller.
 */
final class Departure implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Departure.class);

  private final SocketChannel channel;
  private final Runnable gone;
  private volatile boolean over;

  private Departure(SocketChannel channel, Runnable gone) {
    this.channel = channel;
    this.gone = gone;
  }

  /**
   * Watches from now on until what it gives is closed.
   *
   * @param gone is called at most once, by another thread, and must not wait
   */
  static Optional<Departure> watch(Request request, Runnable gone) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    if (end instanceof SelectableChannelEndPoint plain
        && plain.getChannel() instanceof SocketChannel channel) {
      Departure watched = new Departure(channel, gone);
      Watcher.ONLY.add(watched);
      return Optional.of(watched);
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    over = true;
    Watcher.ONLY.wake();
  }

  /** Watches all of them. */
  private static final class Watcher {
    static final Watcher ONLY = new Watcher();

    private final Selector selector;
    private final Queue<Departure> added = new ConcurrentLinkedQueue<>();

    Watcher() {
      try {
        selector = Selector.open();
      } catch (IOException e) {
        throw new UncheckedIOException("connections can't be watched", e);
      }
      Thread thread = new Thread(this::watch, "tidemark-departures");
      thread.setDaemon(true);
      thread.start();
    }

    void add(Departure departure) {
      added.add(departure);
      wake();
    }

    void wake() {
      Selector unused = selector.wakeup();
    }

    private void watch() {
      while (true) {
        try {
          int unused = selector.select(key -> look(key));
          forgetOver();
          takeAdded();
        } catch (IOException | RuntimeException e) {
          LOG.warn("connections are watched no more: {}", e.toString());
          return;
        }
      }
    }

    private static void look(SelectionKey key) {
      key.cancel(); // gone, or with another request behind this one, of which nothing can be told
      if (key.attachment() instanceof Departure watched && !watched.over && isEnded(watched)) {
        watched.over = true;
        watched.gone.run();
      }
    }

    private static boolean isEnded(Departure watched) {
      try {
        return watched.channel.socket().getInputStream().available() == 0;
      } catch (IOException e) {
        return true;
      }
    }

    private void forgetOver() {
      for (SelectionKey key : selector.keys()) {
        if (key.isValid() && key.attachment() instanceof Departure watched && watched.over) {
          key.cancel();
        }
      }
    }

    private void takeAdded() throws IOException {
      for (Departure next = added.poll(); next != null; next = added.poll()) {
        if (!next.over) {
          register(next);
        }
      }
    }

    /** One that was watched before is known to the selector until it has looked once more. */
    private void register(Departure next) throws IOException {
      try {
        SelectionKey unused = next.channel.register(selector, SelectionKey.OP_READ, next);
      } catch (CancelledKeyException e) {
        int unused = selector.selectNow(key -> look(key));
        added.add(next);
        wake();
      } catch (ClosedChannelException e) {
        next.over = true;
        next.gone.run();
      }
    }
  }
}
