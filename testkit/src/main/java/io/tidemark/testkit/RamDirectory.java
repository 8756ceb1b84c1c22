// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A temporary directory in memory where the machine has one with room, elsewhere a usual one. For
 * tests with hundreds of thousands of writes that don't ask what outlasts a power cut: a file
 * system on a disk keeps a journal of each of them.
 */
public final class RamDirectory implements TempDirFactory {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** Containers often have 64 MiB, which isn't enough for every test. */
  private static final long LEAST_BYTES = 1L << 30;

  @Override
  public Path createTempDirectory(
      AnnotatedElementContext elementContext, ExtensionContext extensionContext)
      throws IOException {
    return hasRoom()
        ? Files.createTempDirectory(SHARED_MEMORY, "tidemark-test-")
        : Files.createTempDirectory("tidemark-test-");
  }

  private static boolean hasRoom() throws IOException {
    return Files.isWritable(SHARED_MEMORY)
        && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= LEAST_BYTES;
  }
}
