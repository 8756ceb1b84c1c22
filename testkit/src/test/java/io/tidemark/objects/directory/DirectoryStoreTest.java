// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.objects.ObjectStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest extends ObjectStoreContract {

  @TempDir Path root;

  @Override
  protected ObjectBackend open() {
    return DirectoryBackend.open(root, Durability.SYNC);
  }
}
