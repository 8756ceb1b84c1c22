// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

/** What is stored makes no sense; the message says why, as the end of a sentence about it. */
public final class UnreadableDocumentException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableDocumentException(String problem) {
    super(problem);
  }

  /** What is the matter with it. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}
