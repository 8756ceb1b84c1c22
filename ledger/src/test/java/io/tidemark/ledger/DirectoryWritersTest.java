// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** In a directory. */
class DirectoryWritersTest extends WritersContract {

  @TempDir Path root;

  @Override
  ObjectStore open() {
    return new ObjectStore(DirectoryBackend.open(root, Durability.PAGE_CACHE), Retry.standard());
  }

  @Override
  int rounds() {
    return 6;
  }
}
