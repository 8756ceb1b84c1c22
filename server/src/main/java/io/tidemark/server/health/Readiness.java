// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import io.tidemark.client.Request;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.resources.Holdings;
import io.tidemark.server.resources.Writes;
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
final class Readiness {

  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

  private static final Duration WRITE_EVERY = Duration.ofSeconds(30);

  private final Holdings holdings;
  private final Writes writes;
  private final Duration patience;
  private final Duration kept;
  private Optional<Look> look = Optional.empty();
  private volatile Optional<String> logged = Optional.empty();

  /** When a write succeeded last; empty if the last one failed. Only one look runs at a time. */
  private volatile Optional<Long> written = Optional.empty();

  /** One that was begun. */
  private record Look(FutureTask<Optional<String>> task, long since) {}

  /**
   * Looks at what a server holds.
   *
   * @param writes whether it has to take writes
   * @param patience how long to wait for an answer
   * @param kept for how long an answer is good
   */
  Readiness(Holdings holdings, Writes writes, Duration patience, Duration kept) {
    this.holdings = holdings;
    this.writes = writes;
    this.patience = patience;
    this.kept = kept;
  }

  /** Why the server can't work; empty when it can. */
  Optional<String> problem() throws InterruptedException {
    Look asked = current();
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

  private synchronized Look current() {
    long now = System.nanoTime();
    boolean fresh =
        look.filter(last -> !last.task().isDone() || now - last.since() < kept.toNanos())
            .isPresent();
    if (!fresh) {
      FutureTask<Optional<String>> task = new FutureTask<>(() -> logged(look()));
      look = Optional.of(new Look(task, now));
      Thread thread = new Thread(task, "tidemark-ready");
      thread.setDaemon(true);
      thread.start();
    }
    return look.orElseThrow();
  }

  private Optional<String> look() {
    try {
      Object unused = holdings.names().marker().read(Optional.empty());
      holdings.upstream().ifPresent(server -> server.send(Request.get("ready")).orThrow());
      if (writes == Writes.TAKEN) {
        probeWrite();
      }
      // The primary itself: reads would go to replicas, which may be there without it.
      holdings.features().ifPresent(features -> features.log().last(1));
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
      WriteProbe.write(holdings);
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
