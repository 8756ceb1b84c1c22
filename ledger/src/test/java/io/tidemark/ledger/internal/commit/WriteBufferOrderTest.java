// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of what is said of one identity in a session the last counts, wherever the queue keeps it. */
class WriteBufferOrderTest {

  private static final TypeId TYPE = TypeId.entity("Customer");

  @ParameterizedTest
  @ValueSource(longs = {1, 900, 5_000, 1 << 20}) // from a file for each fact to none
  void theLastFactOfEachIdentityComesInOrder(long inMemory) {
    Map<String, String> expected = new TreeMap<>();
    try (WriteBuffer queue = new WriteBuffer(inMemory)) {
      for (int i = 0; i < 100; i++) {
        String key = "c" + (i * 37) % 40;
        String payload = "{\"n\":" + i + "}";
        queue.add(new Fact(TYPE, new EntityKey(key), payload));
        expected.put(key, payload);
      }
      assertThat(queue.size()).isEqualTo(100);
      for (int reading = 0; reading < 2; reading++) { // a commit that is tried again reads it again
        List<String> found = new ArrayList<>();
        queue
            .sorted(TYPE)
            .forEachRemaining(fact -> found.add(fact.identity() + " " + fact.fieldsJson()));
        assertThat(found)
            .containsExactlyElementsOf(
                expected.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
      }
    }
  }
}
