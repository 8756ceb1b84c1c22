// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.events.EventBusService;
import io.tidemark.testkit.events.EventServiceContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

class MemoryEventServiceTest extends EventServiceContract {

  private final Tidemark tidemark =
      Tidemark.open(OpenOptions.at("memory:").withObjects(Optional.of("memory:")));

  @AfterEach
  void close() {
    tidemark.close();
  }

  @Override
  protected EventBusService bus() {
    return tidemark.events();
  }
}
