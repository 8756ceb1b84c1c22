// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventType;
import io.tidemark.events.model.Interest;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.InvalidPayloadException;
import io.tidemark.events.run.Registration;
import io.tidemark.events.run.Runner;
import io.tidemark.events.run.RunnerOptions;
import io.tidemark.events.run.Tally;
import io.tidemark.events.run.World;
import io.tidemark.testkit.objects.Fault;
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
final class TimetableTest {
  private static final Instant TEN = Instant.parse("2026-03-02T10:00:00Z");

  private final World world = new World();
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
      world.pass(Duration.ofSeconds(20));
    }

    assertThat(times(handled))
        .containsExactly(TEN, at(2), at(4), at(6), at(8))
        .hasSameSizeAs(world.namespace().list(100));
    assertThat(handled).extracting(Event::payload).containsOnly("{\"kind\":\"sales\"}");
    assertThat(handled).extracting(Event::priority).containsOnly(300);
  }

  @Test
  void runnersWhoseClocksDifferPublishOnce() throws Exception {
    List<Timetable> timetables = new ArrayList<>();
    for (int skew = -15; skew <= 15; skew += 5) {
      Duration by = Duration.ofSeconds(skew);
      Clock clock = Clock.offset(world.clock(), by);
      timetables.add(timetable(clock, schedule("*/5 * * * *")));
    }
    for (int second = 0; second < 360; second += 10) {
      timetables.forEach(Timetable::fire);
      world.pass(Duration.ofSeconds(10));
    }
    assertThat(listed()).containsExactly(TEN, at(5));
  }

  @Test
  void aClockThatIsSetBackPublishesNothingTwice() {
    Timetable timetable = timetable(world.clock(), schedule("* * * * *"));
    timetable.fire();
    world.pass(Duration.ofSeconds(60));
    timetable.fire();
    assertThat(listed()).containsExactly(TEN, at(1));

    world.clock().jump(Duration.ofSeconds(-65));
    timetable.fire();
    timetable(world.clock(), schedule("* * * * *")).fire(); // of a process that begins just then
    assertThat(listed()).containsExactly(at(-1), TEN, at(1));

    world.pass(Duration.ofSeconds(65));
    timetable.fire();
    assertThat(listed()).containsExactly(at(-1), TEN, at(1));
  }

  @Test
  void aClockThatIsSetForwardLeavesOutWhatIsLongAgo() {
    Timetable timetable = timetable(world.clock(), schedule("* * * * *"));
    timetable.fire();

    world.pass(Duration.ofHours(3));
    timetable.fire();

    assertThat(listed()).containsExactly(TEN, at(180));
  }

  @Test
  void whatWasMissedALittleWhileAgoIsMadeUpFor() throws Exception {
    world.pass(Duration.ofSeconds(59)); // nobody ran at ten, nor since
    Runner runner = runner("0 * * * *");

    assertThat(runner.iterate()).isEqualTo(new Tally(1, 0, 0, 0, 0));

    assertThat(handled).hasSize(1);
    assertThat(runner.iterate()).isEqualTo(Tally.NONE);
    assertThat(runner("0 * * * *").iterate()).isEqualTo(Tally.NONE);
    assertThat(world.namespace().list(10)).hasSize(1);
  }

  @Test
  void whatWasMissedLongAgoIsLeftOut() {
    world.pass(Duration.ofSeconds(61));
    timetable(world.clock(), schedule("0 * * * *")).fire();
    assertThat(listed()).isEmpty();
  }

  @Test
  void whatCantBePublishedIsPublishedTheNextTime() {
    Timetable timetable = timetable(world.clock(), schedule("* * * * *"));
    world.faulty().next(Operation.PUT, Fault.unavailable());

    timetable.fire();
    assertThat(listed()).isEmpty();
    timetable.fire();
    assertThat(listed()).containsExactly(TEN);
  }

  @Test
  void aStoreThatIsAwayForLongMakesNobodyMissATime() {
    Timetable timetable = timetable(world.clock(), schedule("0 10 * * *"));
    world.faulty().always(Operation.PUT, Fault.unavailable());
    for (int i = 0; i < 10; i++) {
      timetable.fire();
      world.pass(Duration.ofMinutes(1));
    }
    world.faulty().heal();

    timetable.fire();
    timetable.fire();

    assertThat(listed()).containsExactly(TEN);
    assertThat(world.namespace().claim(new ClaimRequest("a", Interest.all(), 10, "s"))).hasSize(1);
  }

  @Test
  void betweenTwoTimesNothingIsAsked() {
    Timetable timetable = timetable(world.clock(), schedule("* * * * *"));
    timetable.fire();
    world.counting().reset();
    for (int i = 0; i < 59; i++) {
      world.pass(Duration.ofSeconds(1));
      timetable.fire();
    }
    assertThat(world.counting().requests().total()).isZero();
  }

  @Test
  void schedulesThatDifferInWhatTheySayAreDifferent() {
    timetable(
            world.clock(),
            Schedule.of("0 * * * *", "x", "{\"n\":1}"),
            Schedule.of("0 10 * * *", "x", "{ \"n\": 1 }"),
            Schedule.of("0 * * * *", "x", "{\"n\":2}"),
            Schedule.of("0 * * * *", "y", "{\"n\":1}"))
        .fire();
    assertThat(world.namespace().list(10)).hasSize(3);
  }

  @Test
  void whatIsNoEventIsRefusedBeforeItIsDue() {
    assertThatThrownBy(() -> Schedule.of("0 * * * *", "a/b", "{}"))
        .isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> Schedule.of("0 * * * *", "a", "[]"))
        .isInstanceOf(InvalidPayloadException.class);
  }

  private Runner runner(String cron) {
    return world.runner(
        RunnerOptions.standard().withSchedules(List.of(schedule(cron))),
        Registration.of(
            "a", Interest.in(ReportDue.class), context -> handled.add(context.event())));
  }

  private static Schedule schedule(String cron) {
    return Schedule.of(cron, new ReportDue("sales"));
  }

  private Timetable timetable(Clock clock, Schedule... schedules) {
    return new Timetable(
        EventBus.open(world.store(clock), "bus/", world.options()).namespace(World.NAMESPACE),
        List.of(schedules),
        clock,
        world.options().overlap());
  }

  private List<Instant> listed() {
    return world.namespace().list(100).stream().map(event -> event.createdAt()).toList();
  }

  private static List<Instant> times(List<Event> events) {
    return events.stream().map(Event::createdAt).toList();
  }

  private static Instant at(int minute) {
    return TEN.plus(Duration.ofMinutes(minute));
  }
}
