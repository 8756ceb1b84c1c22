// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "1.0, 1.00",
    "100, 1e2",
    "-0, 0.0",
    "9223372036854775807, 9223372036854775807.0",
    "-9223372036854775808, -9223372036854775808.0",
    "9223372036854775808, 9223372036854775808.0",
    "1000000000000000000, 1e18",
    "123456789012345678901234567890, 1.2345678901234567890123456789e29",
    "1e400, 10e399",
    "1e2147483647, 10e2147483646",
    "0e2147483647, 0"
  })
  void aNumberCountsByItsValue(String one, String other) {
    Payload payload = Payload.parse("{\"n\":" + one + ",\"l\":[" + other + "]}");
    Payload same = Payload.parse("{\"l\":[" + one + "], \"n\":" + other + "}");
    assertThat(payload).isEqualTo(same).hasSameHashCodeAs(same);
    // Alone too: in the sum over all fields the differences of two could cancel each other out.
    assertThat(Payload.parse("{\"n\":" + one + "}"))
        .hasSameHashCodeAs(Payload.parse("{\"n\":" + other + "}"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2",
    "1, '\"1\"'",
    "9007199254740993, 9007199254740992.0",
    "0, false",
    "0, null",
    "[1], [1;1]",
    "1e400, 1e401"
  })
  void whatSaysSomethingElseIsUnequal(String one, String other) {
    assertThat(Payload.parse("{\"n\":" + one + "}"))
        .isNotEqualTo(Payload.parse("{\"n\":" + other.replace(';', ',') + "}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99999999999", "10e2147483647", "-100e2147483647", "1.5e-2147483647"})
  void aNumberBeyondReckoningIsRefused(String number) {
    assertThatThrownBy(() -> Payload.parse("{\"n\":" + number + "}"))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("beyond what can be reckoned with")
        .hasMessageContaining("write it as text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e2147483647", "10e2147483646", "0e2147483647", "1e-2147483647"})
  void aNumberThatIsTakenCanBeWrittenAndReadAgain(String number) {
    Payload payload = Payload.parse("{\"n\":" + number + "}");
    assertThat(Payload.parse(payload.toTree().toString())).isEqualTo(payload);
    assertThat(Payload.of(payload.toTree()).digest()).isEqualTo(payload.digest());
  }

  @Test
  void whatAProgramBuiltIsAsIfItHadBeenRead() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("short", (short) 5).put("int", 5).put("long", 5L).put("large", 1L << 40);
    tree.put("big", BigInteger.TEN).put("bigger", BigInteger.TEN.pow(30));
    tree.put("float", 0.25f).put("double", 0.75).put("decimal", new BigDecimal("1.50"));
    tree.put("text", "\u00e9 \"").put("yes", true).putNull("none").put("nan", Double.NaN);
    tree.putObject("o").putArray("a").add(1L).addObject().put("x", 2L);
    Payload payload = Payload.of(tree);
    assertThat(payload.toTree()).isEqualTo(Payload.parse(tree.toString()).toTree());
    assertThat(payload.toJson()).isEqualTo(tree.toString());
    tree.put("int", 6);
    assertThat(payload.toTree().path("int").intValue()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 9007199254740993L})
  void aHeadIsTheSameHoweverItWasMade(long t) {
    Payload head = Payload.of(Ref.of("c1", t));
    Payload read = Payload.parse("{\"id\":\"c1\",\"t\":" + t + "}");
    assertThat(head).isEqualTo(read).hasSameHashCodeAs(read).isEqualTo(Payload.of(read.toTree()));
    assertThat(read).isEqualTo(head);
    assertThat(head.toTree()).isEqualTo(read.toTree());
    assertThat(head.toJson()).isEqualTo(read.toJson());
    assertThat(head.string("id")).contains("c1");
    assertThat(head.string("t")).isEmpty();
    assertThat(head.isLongerThan(read.size() - 1)).isTrue();
    assertThat(head.isLongerThan(read.size())).isFalse();
    assertThat(head).isNotEqualTo(Payload.of(Ref.of("c1", t + 1)));
    assertThat(head).isNotEqualTo(Payload.of(Ref.of("c2", t)));
  }

  @Test
  void itsLengthIsCountedInBytes() {
    Payload built = Payload.build(json -> json.put("a", "\u00e9"));
    for (Payload payload : new Payload[] {built, Payload.parse("{\"a\":\"\u00e9\"}")}) {
      assertThat(payload.isLongerThan(9)).isTrue();
      assertThat(payload.isLongerThan(10)).isFalse();
      assertThat(payload.isLongerThan(1000)).isFalse();
      assertThat(payload.size()).isEqualTo(10);
    }
  }

  @Test
  void theDigestIsThatOfWhatIsSaid() {
    assertThat(Payload.parse("{\"a\":1.0,\"b\":[true,null]}").digest())
        .isEqualTo(Payload.parse("{\"b\": [true, null], \"a\": 1e0}").digest())
        .hasSize(32)
        .isNotEqualTo(Payload.parse("{\"a\":\"1\",\"b\":[true,null]}").digest())
        .isNotEqualTo(Payload.parse("{\"a\":1,\"b\":[\"true\",null]}").digest());
    assertThat(Payload.of(Ref.of("c1", 7)).digest())
        .isEqualTo(Payload.parse("{\"t\":7,\"id\":\"c1\"}").digest());
    assertThat(Payload.parse("{\"a\":1e2147483647}").digest())
        .isNotEqualTo(Payload.parse("{\"a\":1e2147483646}").digest());
  }

  /** Two texts of the same length whose hash codes in Java are the same. */
  @Test
  void payloadsWithTheSameHashCodeHaveDifferentDigests() {
    Payload one = Payload.of(Ref.of("Aa", 1));
    Payload other = Payload.of(Ref.of("BB", 1));
    assertThat(one.hashCode()).isEqualTo(other.hashCode());
    assertThat(one.digest()).isNotEqualTo(other.digest());
  }
}
