// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Status of a retracted record. It keeps the status from before the retraction, for {@link
 * NameService#restore}, and says whether the record is only retracted until it can be dropped.
 *
 * <pre>{@code
 * {"state": "retracted", "retracted_at": 1705312200, "dropping": true,
 *  "status_before": {"state": "indexing", "queue_depth": 5}}
 * }</pre>
 *
 * <p>A plain {@code {"state":"ready"}} isn't kept: it is the status of a record that says nothing
 * else. A status that is nested so deep that another level around it might be refused is kept as
 * text. Locks end with the retraction; their epochs stay, so that none is given out twice.
 */
final class RetractedStatus {

  private static final String STATE = "state";
  private static final String READY = "ready";
  private static final String BEFORE = "status_before";
  private static final String DROPPING = "dropping";

  /** Well below what parsers of JSON allow. */
  private static final int DEEPEST_KEPT = 500;

  private RetractedStatus() {}

  /** Returns the status of a record that is retracted at the given time. */
  static ConcernValue of(ConcernValue status, long nowSeconds) {
    ObjectNode before =
        status.payload().map(SoftLocks::withoutLocks).orElseGet(RetractedStatus::ready);
    return next(
        status,
        json -> {
          json.put(STATE, "retracted").put("retracted_at", nowSeconds);
          keepEpochs(status, json);
          if (!before.equals(ready())) {
            keep(Payload.of(before), json);
          }
        });
  }

  private static void keep(Payload before, ObjectNode json) {
    if (before.isDeeperThan(DEEPEST_KEPT)) {
      json.put(BEFORE, before.toJson());
    } else {
      json.set(BEFORE, before.toTree());
    }
  }

  /** Returns the status of a retracted record that is restored. */
  static ConcernValue restored(ConcernValue status) {
    ObjectNode before =
        status.payload().flatMap(RetractedStatus::kept).orElseGet(RetractedStatus::ready);
    return next(
        status,
        json -> {
          json.setAll(before);
          keepEpochs(status, json);
        });
  }

  private static Optional<ObjectNode> kept(Payload retracted) {
    JsonNode before = retracted.json().path(BEFORE);
    try {
      return before.isTextual()
          ? Optional.of(Payload.parse(before.textValue()).toTree())
          : Optional.of(before).filter(ObjectNode.class::isInstance).map(ObjectNode.class::cast);
    } catch (InvalidPayloadException e) {
      return Optional.empty(); // a text of another program
    }
  }

  /** Returns the status of a record that is retracted until it can be dropped. */
  static ConcernValue dropping(NameRecord record, long nowSeconds) {
    ConcernValue status = record.status();
    ConcernValue retracted =
        record.meta().retracted() ? next(status, copyOf(status)) : of(status, nowSeconds);
    Payload payload = retracted.payload().orElseThrow().with(json -> json.put(DROPPING, true));
    return ConcernValue.of(retracted.watermark(), payload);
  }

  private static Consumer<ObjectNode> copyOf(ConcernValue status) {
    return json -> status.payload().ifPresent(payload -> json.setAll(payload.toTree()));
  }

  /** Returns whether a record is retracted only until it can be dropped. */
  static boolean isDropping(NameRecord record) {
    return record.meta().retracted()
        && record.status().payload().filter(p -> p.json().path(DROPPING).asBoolean()).isPresent();
  }

  private static ConcernValue next(ConcernValue status, Consumer<ObjectNode> fill) {
    return ConcernValue.of(status.watermark() + 1, Payload.build(fill));
  }

  private static void keepEpochs(ConcernValue status, ObjectNode json) {
    status.payload().ifPresent(old -> SoftLocks.keepEpochs(old, json));
  }

  private static ObjectNode ready() {
    return Payload.build(json -> json.put(STATE, READY)).toTree();
  }
}
