// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Change or message in a transaction of the log. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "action")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TransactionSignal.FeaturesChanged.class, name = "MODIFY_FEATURES"),
  @JsonSubTypes.Type(value = TransactionSignal.CollectionChanged.class, name = "MODIFY_COLLECTION"),
  @JsonSubTypes.Type(value = TransactionSignal.Message.class, name = "MESSAGE")
})
public sealed interface TransactionSignal {

  /** Returns the id of the collection, or that of the message. */
  String id();

  /** Features of a collection were written. */
  record FeaturesChanged(String id) implements TransactionSignal {}

  /** A collection was created, changed, deleted, restored or purged. */
  record CollectionChanged(String id) implements TransactionSignal {}

  /**
   * Message that was left beside the changes.
   *
   * @param id id of the message in its transaction
   * @param msgText text
   * @param msgJson any JSON; null if there is none
   * @param msgAttachment bytes in Base64
   */
  record Message(
      String id, Optional<String> msgText, JsonNode msgJson, Optional<String> msgAttachment)
      implements TransactionSignal {}
}
