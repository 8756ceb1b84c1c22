// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import org.jspecify.annotations.Nullable;

/** Something that a transaction did, as the log has it. */
public sealed interface LogAction {

  /** The action in the log's own words. */
  String action();

  /** What it was done to: a collection, or the message's own id. */
  String id();

  /**
   * Features of a collection were changed.
   *
   * @param id the collection
   */
  record ModifyFeatures(String id) implements LogAction {

    static final String ACTION = "MODIFY_FEATURES";

    @Override
    public String action() {
      return ACTION;
    }
  }

  /**
   * A collection itself was made, changed, deleted, restored or purged.
   *
   * @param id the collection
   */
  record ModifyCollection(String id) implements LogAction {

    static final String ACTION = "MODIFY_COLLECTION";

    @Override
    public String action() {
      return ACTION;
    }
  }

  /**
   * Somebody left word.
   *
   * @param id what the message is known by in its transaction
   * @param text null when there is none
   * @param json null when there is none
   * @param attachment bytes; null when there are none
   */
  record Message(
      String id, @Nullable String text, @Nullable String json, @Nullable Attachment attachment)
      implements LogAction {

    static final String ACTION = "MESSAGE";

    @Override
    public String action() {
      return ACTION;
    }
  }
}
