// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryEventsTest extends EventsContract {
  @TempDir private Path directory;

  @Override
  ObjectBackend open() {
    return DirectoryBackend.open(directory, Durability.PAGE_CACHE);
  }
}
