// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether it comes as a record or as JSON, equal values give equal facts, byte for byte. */
class RecordEncoderTest {

  private static final List<String> TEXTS =
      List.of("", " ", "plain", "\"quoted\"", "\\", "\n", "\u007f", "\u00e9", "\uD83D\uDE00", "{}");

  /** A component of each kind, in no order. */
  @Entity
  record Everything(
      @Nullable String text,
      @Key String id,
      long whole,
      @Nullable Integer small,
      double real,
      float shortReal,
      boolean flag,
      BigDecimal exact,
      Instant moment,
      Optional<String> perhaps,
      List<Long> list) {}

  @Test
  void aRecordAndItsJsonAssertTheSame() throws IOException {
    Seed seed = Seed.of("aRecordAndItsJsonAssertTheSame");
    RandomGenerator random = seed.random();
    ValueCheck check = ValueCheck.of(RecordType.of(Everything.class).schema());
    for (int i = 0; i < 5_000; i++) {
      Everything value = random(random);

      Fact fact = RecordType.factOf(value);
      Fact fromJson = check.entity((ObjectNode) CanonicalJson.parse(json(value)));

      assertThat(fact).as("%s of %s", value, seed).isEqualTo(fromJson);
    }
  }

  private static Everything random(RandomGenerator random) {
    double real = random.nextInt(1_000_000) / Math.pow(10, random.nextInt(7));
    return new Everything(
        random.nextBoolean() ? null : TEXTS.get(random.nextInt(TEXTS.size())),
        "id" + TEXTS.get(random.nextInt(TEXTS.size())),
        random.nextLong() >> random.nextInt(64),
        random.nextBoolean() ? null : random.nextInt(),
        random.nextBoolean() ? real : Double.longBitsToDouble(random.nextLong() & ~(1L << 62)),
        random.nextFloat(),
        random.nextBoolean(),
        BigDecimal.valueOf(random.nextInt(), random.nextInt(18)),
        Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1_000L),
        random.nextBoolean() ? Optional.empty() : Optional.of("perhaps"),
        List.of(random.nextLong()));
  }

  private static String json(Everything value) {
    ObjectNode json = CanonicalJson.object();
    json.put("text", value.text()).put("id", value.id()).put("whole", value.whole());
    json.put("small", value.small()).put("real", value.real());
    json.put("shortReal", Double.parseDouble(Float.toString(value.shortReal())));
    json.put("flag", value.flag()).put("exact", value.exact());
    json.put("moment", value.moment().toString()).put("perhaps", value.perhaps().orElse(null));
    value.list().forEach(json.putArray("list")::add);
    return json.toString();
  }

  @Test
  void aRecordOfAHiddenClassIsReadLikeAnyOther() throws ReflectiveOperationException, IOException {
    Class<?> hidden;
    try (InputStream bytes = HiddenThing.class.getResourceAsStream("HiddenThing.class")) {
      hidden =
          MethodHandles.lookup()
              .defineHiddenClass(Objects.requireNonNull(bytes).readAllBytes(), true)
              .lookupClass();
    }
    Constructor<?> constructor = hidden.getDeclaredConstructors()[0];
    constructor.setAccessible(true);

    Fact fact = RecordType.factOf((Record) constructor.newInstance("t1", 1L, 2, 2.5, true, 4));

    assertThat(fact).isEqualTo(RecordType.factOf(new HiddenThing("t1", 1, 2, 2.5, true, 4)));
  }
}
