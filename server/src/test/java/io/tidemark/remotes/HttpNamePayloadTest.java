// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Names in a directory here, behind a server there. */
class HttpNamePayloadTest extends NamePayloadContract {

  private Optional<ServedSite> served = Optional.empty();

  @TempDir private Path directory;

  @Override
  Site site(String name) {
    Site place =
        new Site(
            name,
            DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE),
            Retry.standard(),
            TransferContract.options(name));
    if (name.equals("here")) {
      return place;
    }
    ServedSite there = new ServedSite(place);
    served = Optional.of(there);
    return there.site();
  }

  @AfterEach
  void stop() {
    served.ifPresent(ServedSite::close);
  }
}
