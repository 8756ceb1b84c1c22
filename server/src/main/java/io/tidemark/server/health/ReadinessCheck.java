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
 * Cached check whether the resources of a server respond and accept writes. However often it is
 * called, it checks at intervals, so that frequent probes don't load the store. All probes share
 * one pending check of a store that doesn't respond.
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

  /** Time of the last write, if it succeeded; empty if it failed. Only one check runs at a time. */
  private volatile Optional<Long> written = Optional.empty();

  /** Check that was started. */
  private record PendingCheck(FutureTask<Optional<String>> task, long since) {}

  /**
   * Creates a check of the resources of a server.
   *
   * @param writePolicy whether the resources must accept writes
   * @param patience maximum time to wait for the result
   * @param kept time for which a result is valid
   */
  ReadinessCheck(
      ServerResources serverResources, WritePolicy writePolicy, Duration patience, Duration kept) {
    this.serverResources = serverResources;
    this.writePolicy = writePolicy;
    this.patience = patience;
    this.kept = kept;
  }

  /** Returns why the server isn't ready; empty if it is. */
  Optional<String> problem() throws InterruptedException {
    PendingCheck asked = current();
    try {
      // The rest of the time since the check began; zero if the store has been silent for longer.
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
      // Asks the primary, since reads could go to replicas that are up without it.
      serverResources.features().ifPresent(features -> features.log().last(1));
      return Optional.empty();
    } catch (TidemarkException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Writes at intervals, since a write costs more than a read; after a failure, on every check. */
  private void probeWrite() {
    long now = System.nanoTime();
    if (written.filter(last -> now - last < WRITE_EVERY.toNanos()).isEmpty()) {
      written = Optional.empty();
      WriteProbe.write(serverResources);
      written = Optional.of(now);
    }
  }

  /** Logs a change of the result, once for all probes. */
  private synchronized Optional<String> logged(Optional<String> problem) {
    if (!problem.equals(logged)) {
      logged = problem;
      problem.ifPresentOrElse(why -> LOG.warn("not ready: {}", why), () -> LOG.info("ready again"));
    }
    return problem;
  }
}
