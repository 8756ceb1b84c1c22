// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final AtomicLong millis = new AtomicLong();
  private final StringWriter err = new StringWriter();

  private Progress progress(boolean terminal) {
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
    return new Progress(new PrintWriter(err), terminal, time);
  }

  @Test
  void itIsSaidTwiceASecondAndWipedInTheEnd() {
    Progress progress = progress(true);
    for (int i = 0; i < 1200; i += 100) {
      millis.set(i);
      progress.at("at " + i);
    }
    progress.end();
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
    Progress progress = progress(true);
    millis.set(1_000);
    progress.at("x".repeat(100));
    assertThat(err.toString()).isEqualTo("\r" + "x".repeat(75) + "...");
  }

  @Test
  void quickWorkAndPipesGetNothing() {
    Progress quick = progress(true);
    quick.at("at 0");
    quick.end();
    Progress piped = progress(false);
    millis.set(10_000);
    piped.at("at 10000");
    piped.end();
    assertThat(err.toString()).isEmpty();
  }
}
