// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FastDocumentPrinterTest {

  private static ObjectNode tree(Consumer<ObjectNode> fill) {
    ObjectNode node = DocumentJson.object();
    fill.accept(node);
    return node;
  }

  static List<ObjectNode> plain() {
    return List.of(
        tree(n -> {}),
        tree(n -> n.put("f:t", 7).put("tm:updatedAtMs", Long.MAX_VALUE).put("least", -1L)),
        tree(n -> n.put("@id", "mydb:main").put("empty", "").put("~ /", "it's <fine> & {so}")),
        tree(n -> n.put("yes", true).put("no", false).putNull("none")),
        tree(n -> n.putObject("f:ledgerCommit").put("@id", "bafy").putObject("inner")),
        tree(n -> n.putObject("a").putObject("b").putObject("c").put("d", 1)));
  }

  @ParameterizedTest
  @MethodSource("plain")
  void whatIsPlainIsPrintedByteForByteAsTheLibraryDoes(ObjectNode node) {
    assertThat(FastDocumentPrinter.print(node).map(FastDocumentPrinterTest::text))
        .isEqualTo(Optional.of(text(DocumentJson.printAny(node))));
  }

  @Test
  void twoSpacesALevelAndALineBreakAtTheEnd() {
    ObjectNode node = tree(n -> n.put("t", 1).putObject("in").put("id", "x"));
    assertThat(text(DocumentJson.print(node)))
        .isEqualTo("{\n  \"t\": 1,\n  \"in\": {\n    \"id\": \"x\"\n  }\n}\n");
  }

  static List<ObjectNode> odd() {
    ObjectNode deep = DocumentJson.object();
    ObjectNode inner = deep;
    for (int i = 0; i < 40; i++) {
      inner = inner.putObject("in");
    }
    return List.of(
        deep,
        tree(n -> n.put("quote", "\"")),
        tree(n -> n.put("back\\slash", 1)),
        tree(n -> n.put("line", "a\nb")),
        tree(n -> n.put("delete", "\u007f")),
        tree(n -> n.put("word", "süß")),
        tree(n -> n.put("pair", "\ud83d\ude00")),
        tree(n -> n.put("exact", new BigDecimal("1.50"))),
        tree(n -> n.put("huge", BigInteger.TWO.pow(80))),
        tree(n -> n.putArray("list").add(1).add("two")));
  }

  @ParameterizedTest
  @MethodSource("odd")
  void whatIsOddIsLeftToTheLibrary(ObjectNode node) {
    assertThat(FastDocumentPrinter.print(node)).isEmpty();
    assertThat(DocumentJson.print(node)).isEqualTo(DocumentJson.printAny(node));
    assertThat(DocumentJson.parse("key", DocumentJson.print(node))).isEqualTo(node);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
