// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private final AtomicLong millis = new AtomicLong();
  private final StringWriter err = new StringWriter();

  private ProgressLine progress(boolean terminal) {
    MonotonicTime time =
        new MonotonicTime() {
          @Override
          public long nanos() {
            return Duration.ofMillis(millis.get()).toNanos();
          }

          @Override
          public void pause(Duration duration) {
            throw new AssertionError("nobody waits here");
          }
        };
    return new ProgressLine(new PrintWriter(err), terminal, time);
  }

  @Test
  void itIsSaidTwiceASecondAndWipedInTheEnd() {
    ProgressLine progressLine = progress(true);
    for (int i = 0; i < 1200; i += 100) {
      millis.set(i);
      progressLine.show("at " + i);
    }
    progressLine.clear();
    assertThat(err.toString())
        .isEqualTo(
            "\rat 500"
                + " ".repeat(72)
                + "\rat 1000"
                + " ".repeat(71)
                + "\r"
                + " ".repeat(78)
                + "\r");
  }

  @Test
  void aLongTextIsCut() {
    ProgressLine progressLine = progress(true);
    millis.set(1_000);
    progressLine.show("x".repeat(100));
    assertThat(err.toString()).isEqualTo("\r" + "x".repeat(75) + "...");
  }

  @Test
  void quickWorkAndPipesGetNothing() {
    ProgressLine quick = progress(true);
    quick.show("at 0");
    quick.clear();
    ProgressLine piped = progress(false);
    millis.set(10_000);
    piped.show("at 10000");
    piped.clear();
    assertThat(err.toString()).isEmpty();
  }
}
