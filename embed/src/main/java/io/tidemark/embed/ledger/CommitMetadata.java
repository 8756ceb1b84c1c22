// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Metadata of a commit with its message, which is a member of it. */
final class CommitMetadata {

  private CommitMetadata() {}

  static Map<String, String> of(Map<String, String> metadata, Optional<String> message) {
    Map<String, String> all = new HashMap<>(metadata);
    message.ifPresent(text -> all.put("message", text));
    return all;
  }
}
