// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TypeStateTest {

  private record Entry(Digest payload, long commit) {}

  @Test
  void holdsWhatAMapWouldHold() {
    Seed seed = Seed.of("TypeStateTest.holdsWhatAMapWouldHold");
    RandomGenerator random = seed.random();
    TypeState state = new TypeState();
    Map<Digest, Entry> model = new HashMap<>();

    for (int i = 0; i < 50_000; i++) {
      Digest identity = Digest.of(new EntityKey("k" + random.nextInt(10_000)));
      Digest payload = new Digest(random.nextInt(3), random.nextInt(3));
      long commit = 1L + random.nextInt(1_000);
      state.put(identity, payload, commit);
      model.merge(
          identity,
          new Entry(payload, commit),
          (old, now) -> old.commit() > now.commit() ? old : now);
    }

    assertThat(state.size()).as(seed.toString()).isEqualTo(model.size());
    model.forEach(
        (identity, entry) -> {
          assertThat(state.commitOf(identity)).as(seed.toString()).isEqualTo(entry.commit());
          assertThat(state.holds(identity, entry.payload())).isTrue();
          assertThat(state.holds(identity, new Digest(9, 9))).isFalse();
        });
    assertThat(state.commitOf(Digest.of(new EntityKey("never")))).isZero();
  }

  @Test
  void clearedItKnowsNothing() {
    TypeState state = new TypeState();
    Digest one = Digest.of(new EntityKey("one"));
    state.put(one, one, 5);
    state.upTo(7);

    state.clear();

    assertThat(state.size()).isZero();
    assertThat(state.upTo()).isZero();
    assertThat(state.commitOf(one)).isZero();
  }

  @Test
  void identitiesOfDifferentPartsAreDifferent() {
    assertThat(Digest.of(new RelationKey("ab", "c", "")))
        .isNotEqualTo(Digest.of(new RelationKey("a", "bc", "")))
        .isNotEqualTo(Digest.of(new RelationKey("ab", "", "c")))
        .isEqualTo(Digest.of(new RelationKey("ab", "c", "")));
  }

  @Test
  void payloadsAreComparedByValue() throws IOException {
    assertThat(Digest.ofPayload("{\"a\":1,\"b\":[1.0]}"))
        .isEqualTo(Digest.ofPayload("{\"a\":1.0,\"b\":[1]}"))
        .isNotEqualTo(Digest.ofPayload("{\"a\":true,\"b\":[1]}"))
        .isNotEqualTo(Digest.ofPayload("{\"a\":\"1\",\"b\":[1]}"));
    assertThat(Digest.ofPayload("{\"a\":null}")).isNotEqualTo(Digest.ofPayload("{}"));
  }
}
