// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.testkit.RandomJson;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 2.1 of the specification: which payloads are equal. */
class NormalizedJsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1; 1.0",
        "1; 1e0",
        "100; 1e2",
        "-0; 0.0",
        "-0.0; 0",
        "1e22; 10000000000000000000000",
        "[1]; [1.0]",
        "{\"a\":1,\"b\":2}; {\"b\":2.0,\"a\":1.0}",
        "{\"a\":1}; { \"a\" : 1 }",
        "\"\\u00e9\"; \"é\"",
        "\"\\u00e9\"; \"\\u00E9\"",
        "\"\\u0041/\"; \"A\\/\"",
        "{\"\\u00e9\":1,\"z\":2}; {\"z\":2,\"é\":1}",
        "{\"a\":{\"c\":1,\"b\":2}}; {\"a\":{\"b\":2,\"c\":1}}",
        "{\"a!\":1,\"a\":2}; {\"a\":2,\"a!\":1}"
      })
  void whatSaysTheSameIsEqual(String one, String other) throws IOException {
    assertThat(NormalizedJson.of(one)).isEqualTo(NormalizedJson.of(other));
  }

  @Test
  void aNumberOfManyDigitsIsEqualToItselfWithAnExponent() throws IOException {
    for (int zeros : new int[] {299, 300, 399, 400, 401, 900}) {
      assertThat(NormalizedJson.of("1" + "0".repeat(zeros)))
          .isEqualTo(NormalizedJson.of("1e" + zeros));
    }
    assertThat(NormalizedJson.of("1e999999999"))
        .isEqualTo(NormalizedJson.of("[10e999999998]").substring(1, 13));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1; true",
        "0; false",
        "0; null",
        "1; \"1\"",
        "1; 1.0000000000000001",
        "{\"a\":null}; {}",
        "[1,2]; [2,1]",
        "9007199254740993; 9007199254740992.0",
        "\"1.0\"; \"1\"",
        "\"a\\\"1.0\"; \"a\\\"1\""
      })
  void whatSaysSomethingElseIsNot(String one, String other) throws IOException {
    assertThat(NormalizedJson.of(one)).isNotEqualTo(NormalizedJson.of(other));
  }

  @Test
  void aNumberIsEqualToItselfHoweverItIsWritten() throws IOException {
    Seed seed = Seed.of("aNumberIsEqualToItselfHoweverItIsWritten");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 5_000; i++) {
      long digits = random.nextLong(-2_000, 2_000) * (long) Math.pow(10, random.nextInt(4));
      int scale = random.nextInt(12);
      String plain = new BigDecimal(BigInteger.valueOf(digits), scale).toPlainString();
      String padded = (plain.contains(".") ? plain : plain + ".") + "0".repeat(1 + i % 3);
      String form = NormalizedJson.of(digits + "e-" + scale);
      assertThat(NormalizedJson.of(plain)).as("%s; %s", plain, seed).isEqualTo(form);
      assertThat(NormalizedJson.of("[" + padded + ",\"-0.50\"]"))
          .as("%s; %s", padded, seed)
          .isEqualTo("[" + form + ",\"-0.50\"]");
    }
  }

  @Test
  void formsAreEqualExactlyWhenValuesAre() throws IOException {
    Seed seed = Seed.of("formsAreEqualExactlyWhenValuesAre");
    RandomGenerator random = seed.random();
    int equal = 0;
    for (int i = 0; i < 5_000; i++) {
      JsonNode one = RandomJson.value(random, 3);
      JsonNode other = random.nextBoolean() ? one : RandomJson.changed(one, random);
      String first = RandomJson.text(one, random);
      String second = RandomJson.text(other, random);
      boolean same = RandomJson.sameValue(one, other);
      equal += same ? 1 : 0;
      assertThat(NormalizedJson.of(first).equals(NormalizedJson.of(second)))
          .as("%s and %s of %s", first, second, seed)
          .isEqualTo(same);
      assertThat(NormalizedJson.of(CanonicalJson.write(one)).equals(NormalizedJson.of(second)))
          .as("%s, canonical, and %s of %s", first, second, seed)
          .isEqualTo(same);
    }
    assertThat(equal).as("equal pairs of %s", seed).isBetween(1_000, 4_500);
  }

  @Test
  void theCanonicalTextOfAValueIsReadBackAndStaysAsItIs() throws IOException {
    Seed seed = Seed.of("theCanonicalTextOfAValueIsReadBackAndStaysAsItIs");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 2_000; i++) {
      JsonNode value = RandomJson.value(random, 3);
      String canonical = CanonicalJson.write(value);
      JsonNode again = CanonicalJson.parse(RandomJson.text(value, random));
      assertThat(RandomJson.sameValue(again, value)).as("%s of %s", canonical, seed).isTrue();
      assertThat(CanonicalJson.write(CanonicalJson.parse(canonical)))
          .as("of %s", seed)
          .satisfies(
              text -> assertThat(NormalizedJson.of(text)).isEqualTo(NormalizedJson.of(canonical)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "[1.2.3]", "{ ", "[1e]"})
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> NormalizedJson.of(text)).isInstanceOf(IOException.class);
  }
}
