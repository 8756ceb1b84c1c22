// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.ledger.schema.ValueCheck;
import io.tidemark.testkit.RandomJson;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What is checked is in the stored form, for any JSON. */
class CanonicalPayloadTest {

  private static final ValueCheck CHECK =
      ValueCheck.of(
          new TypeSchema(
              TypeId.entity("T"),
              new TreeMap<>(Map.of("id", Field.of(Scalar.STRING), "any", Field.of(Foreign.any()))),
              new KeyField("id")));

  @Test
  void whatIsCheckedOnceIsCanonicalAndStaysAsItIs() throws IOException {
    Seed seed = Seed.of("whatIsCheckedOnceIsCanonicalAndStaysAsItIs");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 3_000; i++) {
      JsonNode value = RandomJson.value(random, 3);
      String text = RandomJson.text(value, random);
      String stored;
      try {
        stored = checked(text);
      } catch (InvalidValueException e) {
        assertThat(e).as("%s of %s", text, seed).hasMessageContaining("at most 17 digits");
        continue;
      }
      assertThat(isCanonical(stored) || stored.contains("\\"))
          .as("%s of %s", stored, seed)
          .isTrue();
      ObjectNode again = (ObjectNode) CanonicalJson.parse(stored);
      assertThat(CHECK.entity(again).fieldsJson()).as("of %s", seed).isEqualTo(stored);
    }
  }

  private static String checked(String any) throws IOException {
    JsonNode row = CanonicalJson.parse("{\"id\":\"k\",\"any\":" + any + "}");
    return CHECK.entity((ObjectNode) row).fieldsJson();
  }

  private static boolean isCanonical(String json) {
    byte[] bytes = json.getBytes(UTF_8);
    return CanonicalJsonCheck.isCanonical(bytes, 0, bytes.length);
  }
}
