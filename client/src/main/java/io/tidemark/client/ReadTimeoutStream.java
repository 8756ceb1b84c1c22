// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.RequestTimers;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A body that fails when nothing comes for too long: the client of the platform waits for ever. A
 * timer looks whether anything came since it looked last, so that a read costs no timer of its own.
 */
final class ReadTimeoutStream extends FilterInputStream {

  private final Duration patience;

  /** Since when a read waits, by the clock that measures; 0 while none does. */
  private volatile long since;

  private volatile boolean over;
  private volatile ScheduledFuture<?> timer;

  ReadTimeoutStream(InputStream in, Duration patience) {
    super(in);
    this.patience = patience;
    this.timer = scheduleCheck();
  }

  private ScheduledFuture<?> scheduleCheck() {
    return RequestTimers.shared().schedule(this::check, patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void check() {
    long began = since;
    if (began != 0 && System.nanoTime() - began >= patience.toNanos()) {
      over = true;
      try {
        in.close(); // which ends the read
      } catch (IOException e) {
        // the reader is told below
      }
    } else if (!over) {
      timer = scheduleCheck();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int n = read(one, 0, 1);
    return n < 0 ? n : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    since = System.nanoTime() | 1;
    int n;
    try {
      n = in.read(bytes, offset, length);
    } catch (IOException e) {
      throw over ? timeout() : e;
    } finally {
      since = 0;
    }
    if (over) {
      throw timeout();
    }
    return n;
  }

  private IOException timeout() {
    return new IOException("nothing came for " + patience.toSeconds() + " s");
  }

  @Override
  public void close() throws IOException {
    over = true;
    timer.cancel(false);
    super.close();
  }
}
