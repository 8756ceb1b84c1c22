// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.Tidemark;
import io.tidemark.api.events.EventBusService;
import io.tidemark.testkit.events.EventServiceContract;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class DirectoryEventServiceTest extends EventServiceContract {

  @TempDir private Path directory;
  private Optional<Tidemark> tidemark = Optional.empty();

  @AfterEach
  void close() {
    tidemark.ifPresent(Tidemark::close);
  }

  @Override
  protected EventBusService bus() {
    if (tidemark.isEmpty()) {
      tidemark = Optional.of(Tidemark.open(directory.toString()));
    }
    return tidemark.get().events();
  }
}
