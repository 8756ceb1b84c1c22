// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryNamePayloadTest extends NamePayloadContract {

  @TempDir private Path directory;

  @Override
  Site site(String name) {
    return new Site(
        name,
        DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE),
        Retry.standard(),
        TransferContract.options(name));
  }
}
