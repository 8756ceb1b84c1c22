// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Acquired;
import io.tidemark.names.SoftLocks.Acquisition;
import io.tidemark.names.SoftLocks.HeldBy;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.view.LockJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Routes of the soft locks in the status of a record. */
final class LockRoutes {

  private static final String PATH = "/v1/names/{address}/locks/{purpose}";
  private static final long STANDARD_LEASE = 600;

  private final NameService names;
  private final Clock clock = Clock.systemUTC();

  LockRoutes(NameService names) {
    this.names = names;
  }

  List<Route> routes() {
    RequiredPermission lock = RequiredPermission.of(Action.LOCK, ResourceType.NAMES, "address");
    return List.of(
        new Route("GET", PATH, NameRoutes.READ, this::show).withDispatchClass(DispatchClass.LOOKUP),
        new Route("POST", PATH, lock, this::acquire),
        new Route("PUT", PATH, lock, this::refresh),
        new Route("DELETE", PATH, lock, this::release));
  }

  static Purpose purpose(String word) {
    return Stream.of(Purpose.values())
        .filter(purpose -> purpose.text().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "a lock is for index, reindex or maintenance, unlike \"" + word + "\""));
  }

  private static Purpose purpose(HttpRequestContext httpRequestContext) {
    return purpose(httpRequestContext.path("purpose"));
  }

  private SoftLocks locks(long leaseSeconds) {
    return new SoftLocks(names, clock, Duration.ofSeconds(leaseSeconds));
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    Optional<Lock> lock =
        locks(STANDARD_LEASE)
            .find(NameRoutes.address(httpRequestContext), purpose(httpRequestContext));
    long now = clock.instant().getEpochSecond();
    String word = lock.map(l -> l.expiresAt() > now ? "locked" : "expired").orElse("free");
    return RouteResponse.ok(LockJson.of(word, lock));
  }

  /** Body of a request that acquires a lock. */
  record Acquire(
      String holder,
      @JsonProperty("lease_seconds") OptionalLong lease,
      @JsonProperty("target_t") OptionalLong target) {}

  private RouteResponse acquire(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    Acquire wanted = httpRequestContext.body(Acquire.class);
    Acquisition acquisition =
        locks(wanted.lease.orElse(STANDARD_LEASE))
            .acquire(address, purpose(httpRequestContext), wanted.holder, wanted.target);
    return acquisition instanceof Acquired acquired
        ? RouteResponse.ok(LockJson.of("acquired", Optional.of(acquired.lock())))
        : problem(
            "lock-held",
            "another holds the lock of " + address + "; wait until it is released or expires",
            LockJson.of("held", Optional.of(((HeldBy) acquisition).lock())));
  }

  /** Body of a request that refreshes a lock. */
  record Refresh(
      long epoch,
      Optional<String> id,
      @JsonProperty("lease_seconds") OptionalLong lease,
      OptionalDouble progress) {}

  private RouteResponse refresh(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    Purpose purpose = purpose(httpRequestContext);
    Refresh wanted = httpRequestContext.body(Refresh.class);
    SoftLocks locks = locks(wanted.lease.orElse(STANDARD_LEASE));
    Optional<Lock> refreshed =
        locks
            .find(address, purpose, wanted.epoch, wanted.id)
            .flatMap(lock -> locks.refresh(address, purpose, lock, wanted.progress.orElse(-1)));
    return refreshed.isPresent()
        ? RouteResponse.ok(LockJson.of("refreshed", refreshed))
        : lost(locks, address, purpose);
  }

  private RouteResponse release(HttpRequestContext httpRequestContext) {
    Address address = NameRoutes.address(httpRequestContext);
    Purpose purpose = purpose(httpRequestContext);
    SoftLocks locks = locks(STANDARD_LEASE);
    long epoch =
        httpRequestContext
            .number("epoch", 0, Long.MAX_VALUE)
            .orElseThrow(
                () ->
                    HttpRequestContext.invalid(
                        "the query needs epoch, which the lock was acquired with"));
    Optional<Lock> mine = locks.find(address, purpose, epoch, httpRequestContext.query("id"));
    return mine.isPresent() && locks.release(address, purpose, mine.get())
        ? RouteResponse.ok(LockJson.of("released", Optional.empty()))
        : lost(locks, address, purpose);
  }

  private static RouteResponse lost(SoftLocks locks, Address address, Purpose purpose) {
    return problem(
        "lock-lost",
        "the lock of " + address + " was lost; drop the work, or take it anew and do it again",
        LockJson.of("lost", locks.find(address, purpose)));
  }

  private static RouteResponse problem(String code, String detail, ObjectNode actual) {
    return RouteResponse.problem(Problem.of(409, code, detail).with("actual", actual));
  }

  /** Returns the epoch of the acquisition that a body names. */
  static long epoch(JsonNode body) {
    return HttpRequestContext.number(body, "epoch", 0, Long.MAX_VALUE)
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "the \"epoch\" that the lock was acquired with is needed"));
  }

  /** Returns the id of the acquisition that a body names, if it has one. */
  static Optional<String> id(JsonNode body) {
    return body.has("id") ? Optional.of(HttpRequestContext.text(body, "id")) : Optional.empty();
  }
}
