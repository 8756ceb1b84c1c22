// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTickerTest {

  @Test
  void silentWorkIsToldAndTheLineIsWiped() throws InterruptedException {
    CountDownLatch said = new CountDownLatch(1);
    StringWriter text =
        new StringWriter() {
          @Override
          public void flush() {
            said.countDown();
          }
        };
    ProgressLine progressLine =
        new ProgressLine(new PrintWriter(text), true, MonotonicTime.system());

    try (ProgressTicker progressTicker = ProgressTicker.on(progressLine, "maintaining")) {
      progressTicker.show("maintaining roads");
      assertThat(said.await(30, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(text.toString()).startsWith("\rmaintaining roads ").endsWith(" \r");
  }
}
