// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What this process has at a time.
 *
 * @param files open file descriptors
 * @param heap bytes in use
 */
public record ResourceUsage(long files, long heap) {

  private static final int FILES = 20;

  public static ResourceUsage now() {
    return new ResourceUsage(openFiles(), usedHeap());
  }

  /** Waits until the process has about as much as it had then, or fails. */
  public void awaitAgain(long heapBytes) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(openFiles() - files).as("more file descriptors").isLessThan(FILES);
              assertThat(usedHeap() - heap).as("more bytes of heap").isLessThan(heapBytes);
            });
  }

  public static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }

  /** The least that is left, since what a thread allocates meanwhile counts too. */
  public static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
