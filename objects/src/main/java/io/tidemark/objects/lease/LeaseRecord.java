// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.UtcTimestamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Content of the lock object.
 *
 * @param ownerId the holder, unique to its acquisition
 * @param acquiredAt when it was acquired, by the holder's idea of the store's clock
 * @param expiresAt when other processes may take the lock
 * @param ttl for how long it is given each time; zero when another program didn't say
 */
record LeaseRecord(String ownerId, Instant acquiredAt, Instant expiresAt, Duration ttl) {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  LeaseRecord withExpiry(Instant newExpiry) {
    return new LeaseRecord(ownerId, acquiredAt, newExpiry, ttl);
  }

  /** Returns whether both tell of the same acquisition, renewed or not. */
  boolean sameAcquisition(LeaseRecord other) {
    return ownerId.equals(other.ownerId) && acquiredAt.equals(other.acquiredAt);
  }

  byte[] toJson() {
    ObjectNode json =
        JSON.createObjectNode()
            .put("acquired_at", UtcTimestamp.format(acquiredAt))
            .put("expires_at", UtcTimestamp.format(expiresAt))
            .put("lease_ttl_ms", ttl.toMillis())
            .put("owner_id", ownerId);
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads what some program wrote; empty when it can't be understood. */
  static Optional<LeaseRecord> parse(byte[] bytes) {
    try {
      JsonNode json = JSON.readTree(bytes);
      Optional<Instant> acquiredAt = UtcTimestamp.parse(json.path("acquired_at").asText());
      return UtcTimestamp.parse(json.path("expires_at").asText())
          .map(
              expiresAt ->
                  new LeaseRecord(
                      json.path("owner_id").asText(),
                      acquiredAt.orElse(expiresAt),
                      expiresAt,
                      // Below zero it would let other processes take a lock that is held.
                      Duration.ofMillis(Math.max(0, json.path("lease_ttl_ms").asLong()))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
