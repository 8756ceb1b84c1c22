// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.soak;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.run.HandlerRegistration;
import io.tidemark.events.run.Runner;
import io.tidemark.events.run.RunnerOptions;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.process.ParentLink;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * A process with four workers, for {@link SoakTest}. Says {@code handled HANDLER EVENT} before an
 * event is acknowledged, and {@code violation ...} if a claim was changed in a way it may not be.
 *
 * <p>Arguments: the directory, a seed, by how many milliseconds its clock is wrong, and {@code run}
 * to work until it is killed or {@code drain} to end when there is nothing left to do.
 */
public final class SoakWorker {
  static final String NAMESPACE = "soak";
  static final String WORK = "work";
  static final String FOLLOWING = "work.followed";

  /** How often it loses a request or an answer, and the like. */
  private static final double FAULTS = 0.03;

  private static final double FAILURES = 0.1;

  /** As short as it may be if a busy machine isn't to lose leases all the time. */
  private static final Duration LEASE = Duration.ofSeconds(2);

  private SoakWorker() {}

  static BusOptions options() {
    return BusOptions.standard()
        .withClaimLease(LEASE)
        .withMaxSkew(Duration.ofSeconds(2))
        .withRetries(new BusOptions.Retries(6, Duration.ofMillis(10), Duration.ofMillis(300)));
  }

  static ObjectBackend directory(Path root, Clock clock) {
    return DirectoryBackend.open(root, Durability.PAGE_CACHE, clock);
  }

  public static void main(String[] args) throws Exception {
    ParentLink link = new ParentLink();
    RandomGenerator random = new Random(Long.parseLong(args[1])); // of several threads
    Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(Long.parseLong(args[2])));
    ObjectBackend audited =
        new ClaimAudit(
            directory(Path.of(args[0]), clock), text -> link.printLine("violation " + text));
    FaultyBackend faulty = new FaultyBackend(audited, random, FaultMix.everything(FAULTS));
    Retry retry =
        new Retry(
            Duration.ofSeconds(5),
            Duration.ofMillis(2),
            Duration.ofMillis(50),
            MonotonicTime.system());
    EventBus bus = EventBus.open(new ObjectStore(faulty, retry), "", options());
    Runner runner =
        Runner.of(
            bus,
            NAMESPACE,
            handlers(link, random),
            RunnerOptions.standard().withThreads(4).withPollInterval(Duration.ofMillis(20)));
    link.awaitStart();
    if (args[3].equals("run")) {
      runner.start();
      Thread.currentThread().join();
    }
    Backlog left = runner.drain(Duration.ofMinutes(1));
    runner.close();
    bus.close();
    link.printLine("left " + (left.claimable() + left.waiting()));
    System.exit(0);
  }

  private static List<HandlerRegistration> handlers(ParentLink link, RandomGenerator random) {
    HandlerRegistration steady =
        HandlerRegistration.of(
            "steady",
            EventTypeFilter.in(WORK, FOLLOWING),
            eventContext -> link.printLine("handled steady " + eventContext.event().id()));
    HandlerRegistration flaky =
        HandlerRegistration.of(
            "flaky",
            EventTypeFilter.in(WORK),
            eventContext -> {
              if (random.nextDouble() < FAILURES) {
                throw new IllegalStateException("by chance");
              }
              link.printLine("handled flaky " + eventContext.event().id());
            });
    HandlerRegistration picky =
        HandlerRegistration.of(
            "picky",
            EventTypeFilter.in(WORK),
            eventContext -> {
              if (eventContext.event().payloadTree().path("poison").asBoolean()) {
                throw new IllegalStateException("poison");
              }
              eventContext.emit(NewEvent.of(FOLLOWING, "{}"));
              link.printLine("handled picky " + eventContext.event().id());
            });
    return List.of(steady.withConcurrency(2), flaky.withConcurrency(2), picky.withConcurrency(2));
  }
}
