// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTransferTest extends TransferContract {

  @TempDir private Path directory;

  @Override
  ObjectBackend open(String name) {
    return DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE);
  }
}
