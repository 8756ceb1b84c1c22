// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * Starts a process, kills it as {@code kill -9} does in the middle of its work, looks at what is
 * left, and does so again and again.
 *
 * <p>The child says {@code ready} and waits for its start (see {@link ParentLink#awaitStart()});
 * then it prints a line after each thing it was promised, and never ends by itself. It is killed
 * after a random number of lines, so the moment follows from the seed as far as it can, and no
 * waiting is involved; to be caught in the middle of something, it works with several threads.
 */
public final class CrashLoop {

  /** Looks at what a killed child has left. */
  @FunctionalInterface
  public interface Check {
    /**
     * Called after each crash.
     *
     * @param round the round's number, from 1
     * @param lines everything the child printed after its start
     */
    void afterCrash(int round, List<String> lines) throws Exception;
  }

  private final RandomGenerator random;
  private final int mostLines;

  /**
   * A loop whose children print up to so many lines before they are killed.
   *
   * @param random decides after how many
   */
  public CrashLoop(RandomGenerator random, int mostLines) {
    this.random = random;
    this.mostLines = mostLines;
  }

  /** 15, or 300 with {@code -Dsoak=true}. */
  public static int standardRounds() {
    return Boolean.getBoolean("soak") ? 300 : 15;
  }

  /**
   * Runs it.
   *
   * @param start starts the child of the round of that number, from 1
   */
  public void run(int rounds, IntFunction<ChildJvm> start, Check check) throws Exception {
    for (int round = 1; round <= rounds; round++) {
      int lines = 1 + random.nextInt(mostLines);
      List<String> printed;
      try (ChildJvm child = start.apply(round)) {
        printed = killAfter(child, lines);
      }
      try {
        check.afterCrash(round, printed);
      } catch (AssertionError e) {
        throw new AssertionError(
            "in round " + round + ", after " + printed.size() + " lines: " + e.getMessage(), e);
      }
    }
  }

  private static List<String> killAfter(ChildJvm child, int lines) {
    child.expectLine("ready").send("go");
    List<String> printed = new ArrayList<>();
    while (printed.size() < lines) {
      Optional<String> line = child.nextLine();
      if (line.isEmpty()) {
        child.linesToEnd(); // fails with what the child had to say
        throw new AssertionError("the child ended by itself after " + printed);
      }
      printed.add(line.get());
    }
    printed.addAll(child.kill());
    return printed;
  }
}
