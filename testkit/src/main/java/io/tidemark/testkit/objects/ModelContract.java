// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.testkit.Seed;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A long random walk on nasty keys, compared at each step with a sorted map. */
interface ModelContract {

  StoreFixture fixture();

  @Test
  default void aStoreBehavesAsASortedMapWould() {
    Seed seed = Seed.of("aStoreBehavesAsASortedMapWould");
    Walk walk = new Walk(fixture(), seed.random());
    for (int step = 0; step < fixture().scale().modelSteps(); step++) {
      String at = seed + ", step " + step;
      walk.change(at);
      walk.compare(at);
    }
    walk.compareAll(seed.toString());
  }

  /** The store, the map, and what to do next. */
  final class Walk {
    private static final int KEYS = 40;

    private final StoreFixture fixture;
    private final ObjectStore store;
    private final RandomGenerator random;
    private final List<String> keys;
    private final TreeMap<String, StoredObject> model = new TreeMap<>(ObjectKeys.ORDER);
    private ETag stale = new ETag("0");
    private int bodies;

    Walk(StoreFixture fixture, RandomGenerator random) {
      this.fixture = fixture;
      this.store = fixture.store();
      this.random = random;
      List<String> drawn =
          Stream.generate(() -> EdgeCaseKeys.random(random)).distinct().limit(KEYS).toList();
      this.keys = fixture.limits().storable(drawn);
    }

    void change(String at) {
      String key = anyKey();
      Optional<ETag> current = Optional.ofNullable(model.get(key)).map(StoredObject::etag);
      switch (random.nextInt(5)) {
        case 0 -> put(at, key, Condition.none());
        case 1 -> put(at, key, Condition.ifAbsent());
        case 2 -> put(at, key, Condition.ifMatch(stale));
        case 3 -> put(at, key, current.map(Condition::ifMatch).orElse(Condition.ifAbsent()));
        default -> {
          store.delete(key);
          model.remove(key);
        }
      }
      current.ifPresent(etag -> stale = etag);
    }

    private void put(String at, String key, Condition condition) {
      Body body = Body.of("body " + bodies++); // unlike any other, so that its ETag is too
      Optional<ETag> current = Optional.ofNullable(model.get(key)).map(StoredObject::etag);
      WriteResult result = store.put(key, body, condition);
      if (condition.holds(current)) {
        assertThat(result).as("%s: put %s if %s", at, key, condition).isInstanceOf(Written.class);
        model.put(key, store.get(key).orElseThrow());
        assertThat(model.get(key).etag()).as(at).isEqualTo(((Written) result).etag());
        assertThat(model.get(key).text()).as(at).isEqualTo("body " + (bodies - 1));
      } else {
        assertThat(result)
            .as("%s: put %s if %s", at, key, condition)
            .isEqualTo(new PreconditionFailed(current));
      }
    }

    void compare(String at) {
      String key = anyKey();
      String expected =
          Optional.ofNullable(model.get(key)).map(StoredObject::text).orElse("(absent)");
      assertThat(fixture.text(key)).as("%s: %s", at, key).isEqualTo(expected);
      Listing listing = anyListing();
      assertThat(fixture.names(listing)).as("%s: %s", at, listing).isEqualTo(modelNames(listing));
    }

    void compareAll(String at) {
      for (String key : keys) {
        String expected =
            Optional.ofNullable(model.get(key)).map(StoredObject::text).orElse("(absent)");
        assertThat(fixture.text(key)).as("%s: %s", at, key).isEqualTo(expected);
      }
      assertThat(fixture.keys("")).as(at).isEqualTo(List.copyOf(model.keySet()));
    }

    private List<String> modelNames(Listing listing) {
      return model.keySet().stream()
          .filter(key -> key.startsWith(listing.prefix()))
          .map(key -> listing.groupOf(key).orElse(key))
          .distinct()
          .filter(listing::isAhead)
          .toList();
    }

    private Listing anyListing() {
      Listing.Depth depth = random.nextBoolean() ? Listing.Depth.ALL : Listing.Depth.CHILDREN;
      return new Listing(anyPrefix(), random.nextBoolean() ? "" : anyStart(), depth);
    }

    private String anyStart() {
      return random.nextBoolean() ? anyKey() : anyPrefix();
    }

    private String anyPrefix() {
      String key = anyKey();
      int codePoints = key.codePointCount(0, key.length());
      return key.substring(0, key.offsetByCodePoints(0, random.nextInt(codePoints + 1)));
    }

    private String anyKey() {
      return keys.get(random.nextInt(keys.size()));
    }
  }
}
