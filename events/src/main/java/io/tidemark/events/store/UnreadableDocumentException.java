// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

/**
 * Thrown for an invalid stored document; the message says why, as the end of a sentence about it.
 */
public final class UnreadableDocumentException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableDocumentException(String problem) {
    super(problem);
  }

  /** Returns why the document can't be read. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}
