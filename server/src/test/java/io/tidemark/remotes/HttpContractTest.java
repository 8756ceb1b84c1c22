// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * All of the contract between a directory here and a server there, which has a directory; {@link
 * HttpTransferTest} has it in short.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
class HttpContractTest extends TransferContract {

  private Optional<ServedSite> served = Optional.empty();

  @TempDir private Path directory;

  @Override
  ObjectBackend open(String name) {
    return DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE);
  }

  @Override
  Site site(String name) {
    Site place = super.site(name);
    if (!name.equals("there")) {
      return place;
    }
    ServedSite there = new ServedSite(place);
    served = Optional.of(there);
    return there.site();
  }

  @AfterEach
  void close() {
    served.ifPresent(ServedSite::close);
  }
}
