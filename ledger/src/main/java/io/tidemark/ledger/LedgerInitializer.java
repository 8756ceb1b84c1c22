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
 * Initialiser of a ledger in a store.
 *
 * <p>It writes the head last, and only if there is none. The ledger exists from that moment on, and
 * of two processes that initialise it at once exactly one succeeds.
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
   * Plan of an initialisation.
   *
   * @param forceToken token that {@link #reinitialize} requires as a confirmation
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
   * Initialises an empty location.
   *
   * @throws AlreadyInitializedException when there is a ledger, which stays as it is
   */
  public void init() {
    prepare();
    activate();
  }

  /**
   * Runs the part of {@link #init} after which there is no ledger yet, but the location is known to
   * be writable. Idempotent.
   *
   * @throws AlreadyInitializedException when there is a ledger, which stays as it is
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
   * Runs the rest of {@link #init}, after which the ledger exists.
   *
   * @throws AlreadyInitializedException when another process was faster
   */
  public void activate() {
    if (!objects.write(LedgerLayout.HEAD, head(now()), Condition.ifAbsent()).written()) {
      throw new AlreadyInitializedException(location());
    }
  }

  /**
   * Replaces a ledger, if there is one, by an empty ledger; its commits can't be reached any more.
   *
   * <p>Deletes the indices first, since they are redundant. Then it replaces the head, in one step,
   * and then deletes the schemas that belong to the old head. Objects that a writer of the old
   * ledger still writes afterwards have another epoch and are ignored. After a crash in between, a
   * second call completes the work.
   *
   * @param token the token of {@link #plan()}
   * @throws InvalidTokenException when the token is another
   * @throws BranchRefusedException when the ledger has branches besides main, which would go on
   *     with commits that main doesn't have
   * @throws LockContentionException when another writer holds the lock
   * @throws WritingStoppedException when the process is to end
   */
  public void reinitialize(String token) {
    reinitialize(token, () -> {});
  }

  /**
   * Replaces a ledger that has a name.
   *
   * @param naming points the name at a ledger without commits. It runs right before the head is
   *     replaced and in one step with it: when it fails, the ledger is unchanged except for its
   *     indices. A name that is behind its ledger, as a crash may leave it, is brought up to date
   *     by the next commit or by a repair.
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
            requireNoBranches(); // a branch may have been created since, which takes no lock
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
   * Another process that takes the lock for free writes a ledger of its own here. So the head is
   * replaced only if it is the one that was read under the lock, and the rest is left to the next
   * attempt as soon as the lease isn't safe.
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
   * Stops a {@link #reinitialize} within the limit, for a process that has to end. May be called
   * from any thread. A call that has begun to write the new ledger completes. Any other fails with
   * {@link WritingStoppedException}, has changed nothing but indices, and releases the lock. If the
   * limit is too short the lock is kept, so that no other writer meets a late write of the store.
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
