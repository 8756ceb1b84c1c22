// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.internal.branch.BranchStore;
import io.tidemark.ledger.internal.catalog.InvalidTokenException;
import io.tidemark.ledger.internal.catalog.PlanToken;
import io.tidemark.ledger.internal.commit.ShutdownGate;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Register.State;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.lease.Lease;
import io.tidemark.objects.lease.LeaseLock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Makes a place in a store a ledger.
 *
 * <p>The head is written last, and only if there is none: a place is a ledger from that moment on,
 * and of two who initialise it at once one does.
 */
public final class LedgerInitializer {

  private static final String RUNTIME = "onto-init";
  private static final List<String> PLANNED =
      List.of(LedgerLayout.HEAD, LedgerLayout.REGISTRY, LedgerLayout.TYPES, LedgerLayout.ENGINE);

  private final LedgerObjects objects;
  private final ShutdownGate gate;
  private volatile Optional<Lease> held = Optional.empty();

  public LedgerInitializer(ObjectStore store, String prefix) {
    this.objects = new LedgerObjects(store, prefix);
    this.gate = new ShutdownGate(objects.location());
  }

  /**
   * What initialising would do.
   *
   * @param forceToken what {@link #reinitialize} wants to be told, as a sign that it is meant
   */
  public record InitializationPlan(
      String location,
      boolean alreadyInitialized,
      List<String> plannedObjects,
      String forceToken,
      String engineVersion) {}

  public InitializationPlan plan() {
    return new InitializationPlan(
        location(),
        objects.get(LedgerLayout.HEAD).isPresent(),
        PLANNED,
        PlanToken.ofForcedInit(location()).text(),
        FormatVersion.VERSION);
  }

  /**
   * Initialises an empty place.
   *
   * @throws AlreadyInitializedException when there is a ledger; it is left as it is
   */
  public void init() {
    prepare();
    activate();
  }

  /**
   * The part of {@link #init} after which the place isn't a ledger yet, but is known to be one that
   * can be written to. Doing it again changes nothing.
   *
   * @throws AlreadyInitializedException when there is a ledger; it is left as it is
   */
  public void prepare() {
    if (objects.get(LedgerLayout.HEAD).isPresent()) {
      throw new AlreadyInitializedException(location());
    }
    Instant now = now();
    create(LedgerLayout.ENGINE, FormatVersion.json(now));
    create(LedgerLayout.REGISTRY, registry(now));
    create(LedgerLayout.TYPES, types(now));
  }

  private void create(String path, ObjectNode json) {
    Optional<State<ObjectNode>> unused = objects.register(path).write(State.absent(), json);
  }

  /**
   * The rest of {@link #init}: from now on it is a ledger.
   *
   * @throws AlreadyInitializedException when another was faster
   */
  public void activate() {
    if (!objects.write(LedgerLayout.HEAD, head(now()), Condition.ifAbsent()).written()) {
      throw new AlreadyInitializedException(location());
    }
  }

  /**
   * Starts anew in a place where there may be a ledger, whose commits nobody will find any more.
   *
   * <p>Indices go first, since they are only help; then the head, in one step; then what the old
   * head had schemas of. Whatever of the old ledger a writer still puts there afterwards has
   * another epoch and counts for nothing. A crash in between is made good by doing it again.
   *
   * @param token the one that {@link #plan()} tells
   * @throws InvalidTokenException when it is another
   * @throws BranchRefusedException when the ledger has branches besides main, which would go on
   *     with commits that main doesn't have
   * @throws LockContentionException when another writes it
   * @throws WritingStoppedException when the process is to end
   */
  public void reinitialize(String token) {
    reinitialize(token, () -> {});
  }

  /**
   * The same for a ledger that has a name.
   *
   * @param naming makes the name that of a ledger without commits. It is done right before the head
   *     is replaced and in one step with it: when it fails, the ledger is as it was, but for
   *     indices; and a name that is behind its ledger, as a crash may leave it, is brought up to
   *     date by the next commit or by a repair.
   */
  public void reinitialize(String token, Runnable naming) {
    InvalidTokenException.require(
        PlanToken.ofForcedInit(location()), token, "initialising " + location() + " by force");
    requireNoBranches();
    try (Lease lease = gate.runStep(this::lock)) {
      deleteAll(LedgerLayout.INDICES, gate::check);
      gate.runStep(
          () -> {
            Condition unchanged = headUnchanged();
            requireNoBranches(); // one may have been made since, for which nobody needs the lock
            naming.run();
            replaceHead(lease, unchanged);
            return true;
          });
    }
  }

  private void requireNoBranches() {
    List<String> branches = BranchStore.namesExceptMain(objects);
    if (!branches.isEmpty()) {
      throw new BranchRefusedException(
          "the ledger in " + location() + " has the branches " + branches + "; drop them first");
    }
  }

  private Lease lock() {
    LeaseLock lock =
        new LeaseLock(objects.store(), objects.key(LedgerLayout.LOCK), LeaseLock.STANDARD_TTL);
    if (lock.acquire(RUNTIME, Duration.ofSeconds(5)) instanceof LeaseLock.Acquired acquired) {
      held = Optional.of(acquired.lease().keepAlive());
      return held.get();
    }
    throw lockContention();
  }

  private LockContentionException lockContention() {
    return new LockContentionException(
        "the ledger in " + location() + " is being written; try again when it isn't");
  }

  private Condition headUnchanged() {
    return Condition.unchanged(objects.get(LedgerLayout.HEAD).map(StoredObject::etag));
  }

  /**
   * Whoever has come to think that the lock is free writes a ledger of his own here. So the head is
   * replaced only if it is the one that was read under the lock, and what follows is left to the
   * next try as soon as the lease isn't safe.
   */
  private void replaceHead(Lease lease, Condition unchanged) {
    Instant now = now();
    lease.guard();
    if (!objects.write(LedgerLayout.HEAD, head(now), unchanged).written()) {
      throw lockContention();
    }
    deleteAll(LedgerLayout.VERSIONS, lease::guard);
    for (String path : List.of(LedgerLayout.DROPPED, LedgerLayout.TYPE_LAYOUTS)) {
      lease.guard();
      objects.delete(path);
    }
    Map<String, ObjectNode> documents = new LinkedHashMap<>();
    documents.put(LedgerLayout.ENGINE, FormatVersion.json(now));
    documents.put(LedgerLayout.REGISTRY, registry(now));
    documents.put(LedgerLayout.TYPES, types(now));
    documents.forEach(
        (path, json) -> {
          lease.guard();
          objects.write(path, json, Condition.none());
        });
  }

  /**
   * Ends a {@link #reinitialize} within the limit, for a process that has to go, from any thread:
   * one that has begun to write the new ledger comes to its end, any other fails with {@link
   * WritingStoppedException} and has changed nothing but indices, and the lock is given back. It
   * isn't when the limit is too short: what a store does later, no other writer should meet.
   */
  public void stop(Duration limit) {
    if (gate.stop(limit)) {
      held.ifPresent(Lease::close);
    }
  }

  private void deleteAll(String path, Runnable beforeEach) {
    try (Stream<ObjectInfo> found = objects.list(path)) {
      found.forEach(
          info -> {
            beforeEach.run();
            objects.delete(objects.path(info.key()));
          });
    }
  }

  private String location() {
    String location = objects.location();
    return location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
  }

  private Instant now() {
    return objects.store().clock().instant();
  }

  private static ObjectNode head(Instant now) {
    return Head.initial(now, RUNTIME, UUID.randomUUID().toString());
  }

  private static ObjectNode registry(Instant now) {
    ObjectNode json = CanonicalJson.object();
    for (TypeKind typeKind : TypeKind.values()) {
      json.putObject(typeKind.singular());
    }
    return json.put("updated_at", UtcTimestamp.format(now));
  }

  private static ObjectNode types(Instant now) {
    ObjectNode json = CanonicalJson.object();
    for (TypeKind typeKind : TypeKind.values()) {
      json.putArray(typeKind.plural());
    }
    return json.put("updated_at", UtcTimestamp.format(now));
  }
}
