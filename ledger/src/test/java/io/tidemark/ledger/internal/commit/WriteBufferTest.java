// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.testkit.Seed;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteBufferTest {

  private static final TypeId THING = TypeId.entity("Thing");
  private static final TypeId LINK = TypeId.relation("Link");

  /** With these limits it never sets anything aside, does so now and then, and with each fact. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 40, 10_000, 0})
  void givesTheLastFactOfEachIdentityInOrder(long limit) {
    Seed seed = Seed.of("IntentQueueTest limit " + limit);
    RandomGenerator random = seed.random();
    Map<TypeId, TreeMap<Identity, Fact>> model = new TreeMap<>();
    int facts = limit == 0 ? 100 : 3_000;
    try (WriteBuffer queue = new WriteBuffer(limit)) {
      for (int i = 0; i < facts; i++) {
        Fact fact = fact(random.nextBoolean() ? THING : LINK, random, i);
        queue.add(fact);
        model.computeIfAbsent(fact.type(), t -> new TreeMap<>()).put(fact.identity(), fact);
      }

      assertThat(queue.size()).isEqualTo(facts);
      assertThat(queue.types()).containsExactlyElementsOf(model.keySet());
      for (int twice = 0; twice < 2; twice++) { // as after losing the head to another
        model.forEach(
            (type, expected) ->
                assertThat(all(queue.sorted(type)))
                    .as(seed.toString())
                    .containsExactlyElementsOf(expected.values()));
      }
      queue.clear();
      assertThat(queue.isEmpty()).isTrue();
      assertThat(queue.sorted(THING).hasNext()).isFalse();
    }
  }

  private static Fact fact(TypeId type, RandomGenerator random, int number) {
    String json = "{\"n\":" + number + ",\"s\":\"\\u00e9 \uD83D\uDE00\"}";
    return type.kind() == TypeKind.ENTITY
        ? new Fact(type, new EntityKey(key(random)), json)
        : new Fact(type, new RelationKey(key(random), key(random), ""), json);
  }

  private static String key(RandomGenerator random) {
    return switch (random.nextInt(3)) {
      case 0 -> "k" + random.nextInt(20);
      case 1 -> "\uD83D\uDE00" + random.nextInt(20);
      default -> "\uFFFD" + random.nextInt(20);
    };
  }

  private static List<Fact> all(Iterator<Fact> facts) {
    List<Fact> all = new ArrayList<>();
    facts.forEachRemaining(all::add);
    return all;
  }
}
