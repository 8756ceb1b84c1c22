// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import org.jspecify.annotations.Nullable;

/** Action of a transaction, as recorded in the log. */
public sealed interface LogAction {

  /** Returns the action in the log's own words. */
  String action();

  /** Returns the id of the collection that was changed, or the message's own id. */
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
   * A message left by a client.
   *
   * @param id the id of the message within its transaction
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
