// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.StoreUnavailableException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WireJsonTest {

  record Sample(String typeName, Instant committedAt, Optional<String> note, ObjectNode fields) {}

  private static final ObjectNode FIELDS =
      JsonNodeFactory.instance
          .objectNode()
          .put("price", new BigDecimal("12345678901234567890.100"))
          .putNull("mail");
  private static final Sample SAMPLE =
      new Sample("Customer", Instant.parse("2026-11-19T10:00:00.5Z"), Optional.empty(), FIELDS);

  @Test
  void membersAreInSnakeCaseInTheOrderOfTheComponents() {
    assertThat(new String(WireJson.bytes(SAMPLE), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type_name\":\"Customer\",\"committed_at\":\"2026-11-19T10:00:00.500000+00:00\","
                + "\"note\":null,\"fields\":{\"price\":12345678901234567890.100,\"mail\":null}}");
  }

  @Test
  void aDocumentIsReadAsItWasWritten() {
    assertThat(WireJson.read(WireJson.tree(SAMPLE), Sample.class)).isEqualTo(SAMPLE);
  }

  @Test
  void aPageIsReadWithTheTypeOfItsEntries() {
    Page<Sample> page = new Page<>(List.of(SAMPLE), Optional.of("c1"));

    assertThat(WireJson.read(WireJson.tree(page), new TypeReference<Page<Sample>>() {}))
        .isEqualTo(page);
  }

  @Test
  void theLastPageHasNoMemberForTheNext() {
    assertThat(WireJson.tree(new Page<>(List.of(), Optional.empty())).toString())
        .isEqualTo("{\"items\":[]}");
  }

  @Test
  void membersOfANewerServerAreIgnored() {
    ObjectNode newer = (ObjectNode) WireJson.tree(SAMPLE);
    newer.put("since", 3);

    assertThat(WireJson.read(newer, Sample.class)).isEqualTo(SAMPLE);
  }

  @Test
  void aRowOfAThousandLevelsIsWrittenAndRead() {
    JsonNode deep = JsonNodeFactory.instance.arrayNode();
    for (int level = 0; level < 1_000; level++) {
      deep = JsonNodeFactory.instance.arrayNode().add(deep);
    }
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    fields.set("deep", deep);
    Sample sample = new Sample("T", Instant.EPOCH, Optional.empty(), fields);

    assertThat(WireJson.read(WireJson.tree(sample), Sample.class)).isEqualTo(sample);
  }

  @Test
  void anAnswerOfAnotherFormSaysWhatWasExpected() {
    JsonNode other = JsonNodeFactory.instance.objectNode().put("committed_at", "yesterday");

    assertThatThrownBy(() -> WireJson.read(other, Sample.class))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("expected a document of type Sample")
        .hasMessageContaining("no moment of ISO 8601");
  }
}
