// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import io.tidemark.client.ServerRequest;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether what a server works on answers and takes writes. Asked as often as anybody likes, it
 * looks once in a while: a probe that comes often, or from many, must not be what keeps the store
 * busy. One that doesn't answer is waited for once, not by every probe.
 */
final class ReadinessCheck {

  private static final Logger LOG = LoggerFactory.getLogger(ReadinessCheck.class);

  private static final Duration WRITE_EVERY = Duration.ofSeconds(30);

  private final ServerResources serverResources;
  private final WritePolicy writePolicy;
  private final Duration patience;
  private final Duration kept;
  private Optional<PendingCheck> look = Optional.empty();
  private volatile Optional<String> logged = Optional.empty();

  /** When a write succeeded last; empty if the last one failed. Only one look runs at a time. */
  private volatile Optional<Long> written = Optional.empty();

  /** One that was begun. */
  private record PendingCheck(FutureTask<Optional<String>> task, long since) {}

  /**
   * Looks at what a server holds.
   *
   * @param writePolicy whether it has to take writes
   * @param patience how long to wait for an answer
   * @param kept for how long an answer is good
   */
  ReadinessCheck(
      ServerResources serverResources, WritePolicy writePolicy, Duration patience, Duration kept) {
    this.serverResources = serverResources;
    this.writePolicy = writePolicy;
    this.patience = patience;
    this.kept = kept;
  }

  /** Why the server can't work; empty when it can. */
  Optional<String> problem() throws InterruptedException {
    PendingCheck asked = current();
    try {
      // What is left of its time: of a store that is silent for longer it is told at once.
      long left = asked.since() + patience.toNanos() - System.nanoTime();
      return asked.task().get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return logged(
          Optional.of(
              "the store hasn't answered for %d s; check that it can be reached"
                  .formatted(patience.toSeconds())));
    } catch (ExecutionException e) {
      return Optional.of("the store can't be asked; the server's log says why");
    }
  }

  private synchronized PendingCheck current() {
    long now = System.nanoTime();
    boolean fresh =
        look.filter(last -> !last.task().isDone() || now - last.since() < kept.toNanos())
            .isPresent();
    if (!fresh) {
      FutureTask<Optional<String>> task = new FutureTask<>(() -> logged(check()));
      look = Optional.of(new PendingCheck(task, now));
      Thread thread = new Thread(task, "tidemark-ready");
      thread.setDaemon(true);
      thread.start();
    }
    return look.orElseThrow();
  }

  private Optional<String> check() {
    try {
      Object unused = serverResources.names().marker().read(Optional.empty());
      serverResources
          .upstream()
          .ifPresent(server -> server.send(ServerRequest.get("ready")).orThrow());
      if (writePolicy == WritePolicy.TAKEN) {
        probeWrite();
      }
      // The primary itself: reads would go to replicas, which may be there without it.
      serverResources.features().ifPresent(features -> features.log().last(1));
      return Optional.empty();
    } catch (TidemarkException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Only now and then, since a write costs more than a look; at each look after one failed. */
  private void probeWrite() {
    long now = System.nanoTime();
    if (written.filter(last -> now - last < WRITE_EVERY.toNanos()).isEmpty()) {
      written = Optional.empty();
      WriteProbe.write(serverResources);
      written = Optional.of(now);
    }
  }

  /** Once, not for every probe. */
  private synchronized Optional<String> logged(Optional<String> problem) {
    if (!problem.equals(logged)) {
      logged = problem;
      problem.ifPresentOrElse(why -> LOG.warn("not ready: {}", why), () -> LOG.info("ready again"));
    }
    return problem;
  }
}
