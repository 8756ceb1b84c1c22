// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.start;

/** The least that a JVM can be started for: one line of output. */
public final class Hello {

  private Hello() {}

  /** Prints it. */
  public static void main(String[] args) {
    System.out.println("hello");
  }
}
