// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.Load;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Others who write to a collection while it is loaded; resolution 39. */
@ExtendWith(Servers.class)
class BulkInterferenceTest {

  @TempDir private Path directory;

  @Test
  void aCollectionThatWasWrittenAndEmptiedDuringALoadIsNotReplaced(PostgresServer server)
      throws IOException {
    Path file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
    try (TestStorage storage = TestStorage.in(server)) {
      String c = storage.small();
      Load load = storage.features.bulk().load(ALICE, c, Input.of(file), LoadOptions.standard());

      assertThatThrownBy(
              () ->
                  load.run(
                      progress -> {
                        if (progress.phase() == Phase.ATTACH) {
                          storage.put(c, "{\"id\": \"f\"}");
                          storage.features.write(ALICE, c, List.of(Write.delete("f")));
                        }
                      }))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("others have written to the collection '%s'".formatted(c));

      List<Feature> states = storage.features.read(r -> r.versions(c, "f"));
      assertThat(states)
          .extracting(state -> state.xyz().orElseThrow().action())
          .containsExactly("CREATE", "DELETE");
      assertThat(storage.features.checker().check(c).flaws()).isEmpty();
    }
  }
}
