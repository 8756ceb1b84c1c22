// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.ContractScale;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A store that keeps no attempts and has versions of its own kind. */
class HttpDirectoryObjectsTest extends HttpObjectsContract {
  @TempDir private Path directory;

  @Override
  ObjectBackend behind() {
    return DirectoryBackend.open(directory, Durability.PAGE_CACHE);
  }

  @Override
  protected ContractScale scale() {
    return new ContractScale(4, 5, 50, 60);
  }
}
