// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.server.http.HttpRequestContext;
import java.time.Clock;
import java.time.Duration;

/**
 * Fence that accepts a write only while its sender holds the lock that it names, if it names one.
 */
final class LockFence {

  private final SoftLocks locks;

  LockFence(NameService names) {
    this.locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(1));
  }

  /**
   * Requires a lock to be held.
   *
   * @param lock {@code {"purpose":"index","epoch":3}}, optionally with the holder and the id;
   *     missing for no check
   */
  void require(Address address, JsonNode lock) {
    if (lock.isMissingNode() || lock.isNull()) {
      return;
    }
    Purpose purpose = LockRoutes.purpose(HttpRequestContext.text(lock, "purpose"));
    long epoch = LockRoutes.epoch(lock);
    String holder =
        lock.has("holder")
            ? HttpRequestContext.text(lock, "holder")
            : locks.find(address, purpose).map(Lock::holder).orElse("");
    locks.requireHeld(address, purpose, Lock.of(holder, epoch, LockRoutes.id(lock)));
  }
}
