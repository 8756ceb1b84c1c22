// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.Condition;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Request for the lock: a short-lived object beside it that a waiting writer leaves. Only a
 * courtesy: nothing depends on it being seen, so nothing here fails.
 */
final class LockRequest {

  private static final Logger LOG = LoggerFactory.getLogger(LockRequest.class);

  private final LedgerObjects objects;
  private final String author;

  LockRequest(LedgerObjects objects, String runtimeId) {
    this.objects = objects;
    this.author = runtimeId + "-" + AttemptIds.next();
  }

  void post(Duration lasting) {
    try {
      Instant until = objects.store().clock().instant().plus(lasting);
      objects.write(
          LedgerLayout.WAITING,
          CanonicalJson.object().put("owner_id", author).put("until", UtcTimestamp.format(until)),
          Condition.none());
    } catch (TidemarkException e) {
      LOG.debug("no note could be left at {}: {}", objects.location(), e.getMessage());
    }
  }

  boolean isPostedByAnother() {
    try {
      return objects
          .read(LedgerLayout.WAITING)
          .map(LedgerObjects.Document::json)
          .filter(json -> !author.equals(json.path("owner_id").asText()))
          .flatMap(json -> UtcTimestamp.parse(json.path("until").asText()))
          .filter(until -> objects.store().clock().instant().isBefore(until))
          .isPresent();
    } catch (TidemarkException e) {
      return false;
    }
  }
}
