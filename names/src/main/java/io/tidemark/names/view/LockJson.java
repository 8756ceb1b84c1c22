// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.SoftLocks.Lock;
import java.util.Optional;

/** Locks as JSON, after a word for what became of them. */
public final class LockJson {

  private LockJson() {}

  public static ObjectNode of(String result, Optional<Lock> lock) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("result", result);
    lock.ifPresent(
        l -> {
          json.put("holder", l.holder()).put("epoch", l.epoch());
          json.put("expires_at", l.expiresAt());
          l.id().ifPresent(id -> json.put("id", id));
          l.targetT().ifPresent(t -> json.put("target_t", t));
          l.progress().ifPresent(progress -> json.put("progress", progress));
        });
    return json;
  }
}
