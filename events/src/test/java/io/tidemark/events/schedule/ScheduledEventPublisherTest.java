// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventType;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.run.DeliveryCounts;
import io.tidemark.events.run.HandlerRegistration;
import io.tidemark.events.run.Runner;
import io.tidemark.events.run.RunnerFixture;
import io.tidemark.events.run.RunnerOptions;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is published when, by however many. Time begins at half a second past ten. */
final class ScheduledEventPublisherTest {
  private static final Instant TEN = Instant.parse("2026-03-02T10:00:00Z");

  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final List<Event> handled = Collections.synchronizedList(new ArrayList<>());

  @EventType(value = "report.due", priority = 300)
  record ReportDue(String kind) {}

  @Test
  @DisplayName("F28: many runners publish a scheduled event once")
  void manyRunnersPublishOnce() throws Exception {
    List<Runner> runners = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      runners.add(runner("*/2 * * * *"));
    }
    for (int second = 0; second < 600; second += 20) {
      for (Runner runner : runners) {
        runner.iterate();
      }
      runnerFixture.pass(Duration.ofSeconds(20));
    }

    assertThat(times(handled))
        .containsExactly(TEN, at(2), at(4), at(6), at(8))
        .hasSameSizeAs(runnerFixture.namespace().list(100));
    assertThat(handled).extracting(Event::payload).containsOnly("{\"kind\":\"sales\"}");
    assertThat(handled).extracting(Event::priority).containsOnly(300);
  }

  @Test
  void runnersWhoseClocksDifferPublishOnce() throws Exception {
    List<ScheduledEventPublisher> timetables = new ArrayList<>();
    for (int skew = -15; skew <= 15; skew += 5) {
      Duration by = Duration.ofSeconds(skew);
      Clock clock = Clock.offset(runnerFixture.clock(), by);
      timetables.add(timetable(clock, schedule("*/5 * * * *")));
    }
    for (int second = 0; second < 360; second += 10) {
      timetables.forEach(ScheduledEventPublisher::publishDue);
      runnerFixture.pass(Duration.ofSeconds(10));
    }
    assertThat(listed()).containsExactly(TEN, at(5));
  }

  @Test
  void aClockThatIsSetBackPublishesNothingTwice() {
    ScheduledEventPublisher scheduledEventPublisher =
        timetable(runnerFixture.clock(), schedule("* * * * *"));
    scheduledEventPublisher.publishDue();
    runnerFixture.pass(Duration.ofSeconds(60));
    scheduledEventPublisher.publishDue();
    assertThat(listed()).containsExactly(TEN, at(1));

    runnerFixture.clock().jump(Duration.ofSeconds(-65));
    scheduledEventPublisher.publishDue();
    timetable(runnerFixture.clock(), schedule("* * * * *"))
        .publishDue(); // of a process that begins just then
    assertThat(listed()).containsExactly(at(-1), TEN, at(1));

    runnerFixture.pass(Duration.ofSeconds(65));
    scheduledEventPublisher.publishDue();
    assertThat(listed()).containsExactly(at(-1), TEN, at(1));
  }

  @Test
  void aClockThatIsSetForwardLeavesOutWhatIsLongAgo() {
    ScheduledEventPublisher scheduledEventPublisher =
        timetable(runnerFixture.clock(), schedule("* * * * *"));
    scheduledEventPublisher.publishDue();

    runnerFixture.pass(Duration.ofHours(3));
    scheduledEventPublisher.publishDue();

    assertThat(listed()).containsExactly(TEN, at(180));
  }

  @Test
  void whatWasMissedALittleWhileAgoIsMadeUpFor() throws Exception {
    runnerFixture.pass(Duration.ofSeconds(59)); // nobody ran at ten, nor since
    Runner runner = runner("0 * * * *");

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));

    assertThat(handled).hasSize(1);
    assertThat(runner.iterate()).isEqualTo(DeliveryCounts.NONE);
    assertThat(runner("0 * * * *").iterate()).isEqualTo(DeliveryCounts.NONE);
    assertThat(runnerFixture.namespace().list(10)).hasSize(1);
  }

  @Test
  void whatWasMissedLongAgoIsLeftOut() {
    runnerFixture.pass(Duration.ofSeconds(61));
    timetable(runnerFixture.clock(), schedule("0 * * * *")).publishDue();
    assertThat(listed()).isEmpty();
  }

  @Test
  void whatCantBePublishedIsPublishedTheNextTime() {
    ScheduledEventPublisher scheduledEventPublisher =
        timetable(runnerFixture.clock(), schedule("* * * * *"));
    runnerFixture.faulty().next(Operation.PUT, BackendFault.unavailable());

    scheduledEventPublisher.publishDue();
    assertThat(listed()).isEmpty();
    scheduledEventPublisher.publishDue();
    assertThat(listed()).containsExactly(TEN);
  }

  @Test
  void aStoreThatIsAwayForLongMakesNobodyMissATime() {
    ScheduledEventPublisher scheduledEventPublisher =
        timetable(runnerFixture.clock(), schedule("0 10 * * *"));
    runnerFixture.faulty().always(Operation.PUT, BackendFault.unavailable());
    for (int i = 0; i < 10; i++) {
      scheduledEventPublisher.publishDue();
      runnerFixture.pass(Duration.ofMinutes(1));
    }
    runnerFixture.faulty().clearFaults();

    scheduledEventPublisher.publishDue();
    scheduledEventPublisher.publishDue();

    assertThat(listed()).containsExactly(TEN);
    assertThat(
            runnerFixture.namespace().claim(new ClaimRequest("a", EventTypeFilter.all(), 10, "s")))
        .hasSize(1);
  }

  @Test
  void betweenTwoTimesNothingIsAsked() {
    ScheduledEventPublisher scheduledEventPublisher =
        timetable(runnerFixture.clock(), schedule("* * * * *"));
    scheduledEventPublisher.publishDue();
    runnerFixture.counting().reset();
    for (int i = 0; i < 59; i++) {
      runnerFixture.pass(Duration.ofSeconds(1));
      scheduledEventPublisher.publishDue();
    }
    assertThat(runnerFixture.counting().requests().total()).isZero();
  }

  @Test
  void schedulesThatDifferInWhatTheySayAreDifferent() {
    timetable(
            runnerFixture.clock(),
            Schedule.of("0 * * * *", "x", "{\"n\":1}"),
            Schedule.of("0 10 * * *", "x", "{ \"n\": 1 }"),
            Schedule.of("0 * * * *", "x", "{\"n\":2}"),
            Schedule.of("0 * * * *", "y", "{\"n\":1}"))
        .publishDue();
    assertThat(runnerFixture.namespace().list(10)).hasSize(3);
  }

  @Test
  void whatIsNoEventIsRefusedBeforeItIsDue() {
    assertThatThrownBy(() -> Schedule.of("0 * * * *", "a/b", "{}"))
        .isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> Schedule.of("0 * * * *", "a", "[]"))
        .isInstanceOf(InvalidEventPayloadException.class);
  }

  private Runner runner(String cron) {
    return runnerFixture.runner(
        RunnerOptions.standard().withSchedules(List.of(schedule(cron))),
        HandlerRegistration.of(
            "a",
            EventTypeFilter.in(ReportDue.class),
            eventContext -> handled.add(eventContext.event())));
  }

  private static Schedule schedule(String cron) {
    return Schedule.of(cron, new ReportDue("sales"));
  }

  private ScheduledEventPublisher timetable(Clock clock, Schedule... schedules) {
    return new ScheduledEventPublisher(
        EventBus.open(runnerFixture.store(clock), "bus/", runnerFixture.options())
            .namespace(RunnerFixture.NAMESPACE),
        List.of(schedules),
        clock,
        runnerFixture.options().overlap());
  }

  private List<Instant> listed() {
    return runnerFixture.namespace().list(100).stream().map(event -> event.createdAt()).toList();
  }

  private static List<Instant> times(List<Event> events) {
    return events.stream().map(Event::createdAt).toList();
  }

  private static Instant at(int minute) {
    return TEN.plus(Duration.ofMinutes(minute));
  }
}
