// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.objects.SharedObjectStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class PageCacheDirectoryStoreTest extends SharedObjectStoreContract {

  @TempDir Path root;

  @Override
  protected ObjectBackend open() {
    return DirectoryBackend.open(root, Durability.PAGE_CACHE);
  }

  @Override
  protected String location() {
    return root.toUri() + "?durability=page-cache";
  }
}
