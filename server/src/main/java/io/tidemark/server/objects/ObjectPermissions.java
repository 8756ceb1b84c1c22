// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.ledger.internal.named.DefaultLocation;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import io.tidemark.objects.Condition;
import io.tidemark.objects.Listing;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Permissions for objects, by key.
 *
 * <p>A key of a ledger, {@code ledgers/<name>/...}, belongs to the main branch of the name, since
 * branches share their commits. Other keys belong to a namespace of events. All remaining keys
 * don't exist here for any caller; the records of names change only by the rules of names.
 *
 * <p>Reading requires the right to read, writing the right to write. History is immutable:
 *
 * <ul>
 *   <li>Commits and snapshots are created and never replaced by any caller. The same bytes may be
 *       written again, which makes the object younger and protects it from garbage collection.
 *   <li>Heads and locks are written only on condition of their current version, by any caller. Only
 *       administrators may move a head to a state that doesn't follow it. See {@link
 *       HeadAdvanceValidator}.
 *   <li>Other documents of the main branch, which all writers share, are replaced without a
 *       condition only by callers that may initialise the ledger anew.
 *   <li>Documents of other branches, which are below an epoch that only one writer knows, may be
 *       written in any way. So may notes, whose content doesn't depend on the writer.
 *   <li>Deleting requires the right of an administrator.
 * </ul>
 *
 * <p>For events, the events themselves and dead letters are created and never replaced. Claims,
 * cursors and positions of sources are written only on condition of their current version.
 * Sessions, which tell which workers are present, are written in any way.
 */
final class ObjectPermissions {

  private static final String BRANCH_NOTES = "dropped/";
  private static final List<String> LEDGER_PARTS =
      List.of(
          LedgerLayout.META,
          LedgerLayout.COMMITS,
          LedgerLayout.SNAPSHOTS,
          LedgerLayout.PURGED,
          LedgerLayout.BRANCHES);

  private ObjectPermissions() {}

  /**
   * Owner of an object.
   *
   * @param name name as in grants
   * @param path path below the location of a ledger; empty for events
   */
  private record Owner(ResourceType realm, String name, String path) {
    void require(Caller caller, Action action) {
      caller.require(action, realm, name);
    }
  }

  /** Requires the right to read an object. */
  static void requireRead(Caller caller, String key) {
    owner(key).require(caller, Action.READ);
  }

  /** Rule for the content of a permitted write. */
  enum WriteRule {
    ANYTHING,
    /** Only identical content, if the object exists. */
    THE_SAME,
    /** Only a head that reaches everything that the current head reaches. */
    WHAT_FOLLOWS
  }

  /**
   * Requires the right to write an object under a condition, and returns the rule for its content.
   */
  static WriteRule requireWrite(Caller caller, String key, Condition condition) {
    Owner owner = owner(key);
    owner.require(caller, Action.WRITE);
    if (owner.realm() == ResourceType.EVENTS) {
      return requireEventWrite(key, condition);
    }
    requireLedgerWrite(caller, owner, key, condition);
    if (isHistory(owner.path()) && condition == Condition.none()) {
      return WriteRule.THE_SAME;
    }
    boolean moves = isHead(owner.path()) && condition instanceof Condition.IfMatch;
    return moves && !caller.may(Action.ADMIN, owner.realm(), owner.name())
        ? WriteRule.WHAT_FOLLOWS
        : WriteRule.ANYTHING;
  }

  private static WriteRule requireEventWrite(String key, Condition condition) {
    if (isOf(Kind.EVENTS, key) || isOf(Kind.DEAD_LETTERS, key)) {
      if (condition instanceof Condition.IfMatch) {
        throw historyIsImmutable(key);
      }
      return condition == Condition.none() ? WriteRule.THE_SAME : WriteRule.ANYTHING;
    }
    if (condition == Condition.none() && !isOf(Kind.SESSIONS, key)) {
      throw conditionalWriteOnly(key);
    }
    return WriteRule.ANYTHING;
  }

  private static boolean isOf(Kind kind, String key) {
    return key.startsWith(io.tidemark.events.store.NamespaceKeys.all("", kind));
  }

  private static ProblemException conditionalWriteOnly(String key) {
    return refused(key, "moves only from what it was; write it with If-Match or If-None-Match: *");
  }

  /** Returns the refusal of a write that would replace history. */
  static ProblemException historyIsImmutable(String key) {
    return refused(key, "is part of the history, which is never replaced; it can only be created");
  }

  /** Requires the right to delete an object. */
  static void requireDelete(Caller caller, String key) {
    owner(key).require(caller, Action.ADMIN);
  }

  /** Returns whether the caller may see an entry of a listing. */
  static boolean mayList(Caller caller, Listing.Entry entry) {
    Optional<Owner> owner = find(entry.name());
    if (owner.isPresent()) {
      return caller.may(Action.READ, owner.get().realm(), owner.get().name());
    }
    // A folder of many owners is visible to callers that may read any of them.
    return entry instanceof Listing.Entry.Group
        && realmOfFolder(entry.name())
            .filter(resourceType -> caller.mayOnAny(Action.READ, resourceType))
            .isPresent();
  }

  private static void requireLedgerWrite(
      Caller caller, Owner owner, String key, Condition condition) {
    String path = owner.path();
    boolean conditional = condition != Condition.none();
    if (isHistory(path) && condition instanceof Condition.IfMatch) {
      throw historyIsImmutable(key);
    }
    if (conditional || isHistory(path) || isMutable(path)) {
      return;
    }
    if (isHeadOrLock(path)) {
      throw conditionalWriteOnly(key);
    }
    owner.require(caller, Action.ADMIN);
  }

  private static boolean isHistory(String path) {
    return path.startsWith(LedgerLayout.COMMITS)
        || (path.startsWith(LedgerLayout.SNAPSHOTS) && LedgerLayout.notedSnapshot(path).isEmpty());
  }

  private static boolean isHeadOrLock(String path) {
    return isHead(path) || ofBranch(path).startsWith(LedgerLayout.LOCKS);
  }

  private static boolean isHead(String path) {
    return ofBranch(path).equals(LedgerLayout.HEAD);
  }

  /** Returns a path relative to its branch. */
  private static String ofBranch(String path) {
    return BranchName.of(path).map(b -> path.substring(b.directory().length())).orElse(path);
  }

  private static boolean isMutable(String path) {
    Optional<String> branch = BranchName.of(path).map(BranchName::directory);
    String own = branch.map(directory -> path.substring(directory.length())).orElse(path);
    return LedgerLayout.notedSnapshot(path).isPresent()
        || own.equals(LedgerLayout.WAITING)
        || LedgerLayout.epochDirectoryOf(path).isPresent()
        || (branch.isPresent() && own.startsWith(BRANCH_NOTES));
  }

  static ProblemException refused(String key, String why) {
    return new ProblemException(Problem.of(403, "refused-write", key + " " + why));
  }

  private static Owner owner(String key) {
    return find(key)
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.of(
                        404,
                        "unreachable-key",
                        "%s is no object of a ledger or of events, and no other is served here"
                            .formatted(key))));
  }

  private static Optional<Owner> find(String key) {
    Optional<DefaultLocation> ledger = DefaultLocation.parse(key);
    if (ledger.isPresent()) {
      String path = ledger.get().path();
      return Optional.of(
              new Owner(ResourceType.NAMES, ledger.get().name() + ":" + Address.MAIN, path))
          .filter(o -> path.isEmpty() || LEDGER_PARTS.stream().anyMatch(path::startsWith));
    }
    if (key.startsWith(io.tidemark.events.store.NamespaceKeys.OUTBOXES)) {
      return Optional.of(new Owner(ResourceType.EVENTS, "", "")); // of all namespaces
    }
    return io.tidemark.events.store.NamespaceKeys.namespaceOf(key)
        .map(namespace -> new Owner(ResourceType.EVENTS, namespace, ""));
  }

  private static Optional<ResourceType> realmOfFolder(String folder) {
    if (folder.equals(DefaultLocation.LEDGERS)) {
      return Optional.of(ResourceType.NAMES);
    }
    boolean ofEvents =
        Stream.of(io.tidemark.events.store.NamespaceKeys.Kind.values())
                .anyMatch(
                    kind -> io.tidemark.events.store.NamespaceKeys.all("", kind).equals(folder))
            || folder.equals(io.tidemark.events.store.NamespaceKeys.SOURCES);
    return ofEvents ? Optional.of(ResourceType.EVENTS) : Optional.empty();
  }
}
