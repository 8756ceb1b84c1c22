// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A child is started, told, read to the last line, and killed. */
class ChildJvmTest {

  /** Prints its argument and property, then lines without end or a failure. */
  static final class Chatter {
    public static void main(String[] arguments) throws Exception {
      ParentLink parent = new ParentLink();
      parent.awaitStart();
      parent.printLine(arguments[0] + " " + System.getProperty("mood"));
      if (arguments[0].equals("fail")) {
        throw new IllegalStateException("out of words");
      }
      for (int i = 1; arguments[0].equals("chat"); i++) {
        parent.printLine("line " + i);
      }
    }
  }

  private static ChildJvm start(String argument) {
    ChildJvm child = ChildJvm.start(Map.of("mood", "bright"), Chatter.class, argument);
    child.expectLine("ready").send("go");
    return child;
  }

  @Test
  void aChildThatEndsIsReadToItsLastLine() {
    try (ChildJvm child = start("once")) {
      assertThat(child.linesToEnd()).containsExactly("once bright");
      assertThat(child.nextLine()).isEmpty();
    }
  }

  @Test
  void aKilledChildHasPrintedAllItHadSaid() {
    try (ChildJvm child = start("chat")) {
      child.expectLine("chat bright").expectLine("line 1");
      List<String> rest = child.kill();
      for (int i = 0; i < rest.size(); i++) {
        assertThat(rest.get(i)).isEqualTo("line " + (i + 2));
      }
    }
  }

  @Test
  void theFailureOfAChildIsShown() {
    try (ChildJvm child = start("fail")) {
      assertThatThrownBy(child::linesToEnd)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("fail bright")
          .hasMessageContaining("out of words");
    }
  }
}
