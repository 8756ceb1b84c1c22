// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

/** The kinds of request a backend takes. */
public enum Operation {
  GET,
  HEAD,
  PUT,
  DELETE,
  LIST;

  /** Whether it can change the store, so that a lost answer leaves a doubt. */
  public boolean changes() {
    return this == PUT || this == DELETE;
  }
}
