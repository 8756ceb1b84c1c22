// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.RowInput.Part;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportRequestTest {

  @TempDir private Path directory;

  @Test
  void aDirectoryWithoutRowsIsRefused() {
    assertThatThrownBy(() -> ImportRequest.of(directory))
        .isInstanceOf(TidemarkException.class)
        .hasMessageContaining("there is no *.jsonl in")
        .extracting(e -> ((TidemarkException) e).code())
        .isEqualTo("transfer");
  }

  @Test
  void allFilesOfRowsOfADirectoryAreReadInTheirOrderWithTheSchemas() throws IOException {
    Files.writeString(directory.resolve("b.jsonl"), "{}");
    Files.writeString(directory.resolve("a.jsonl"), "{}");
    Files.writeString(directory.resolve("notes.txt"), "no rows");
    Files.writeString(directory.resolve("schema.json"), "[{\"entity\":\"Customer\"}]");

    ImportRequest request = ImportRequest.of(directory);

    assertThat(request.rows().parts().stream().map(Part::name))
        .containsExactly(
            directory.resolve("a.jsonl").toString(), directory.resolve("b.jsonl").toString());
    assertThat(request.schema().map(JsonNode::toString)).contains("[{\"entity\":\"Customer\"}]");
  }
}
