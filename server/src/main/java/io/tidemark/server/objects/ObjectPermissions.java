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
 * Who may do what to an object, by its key.
 *
 * <p>A key is of a ledger, {@code ledgers/<name>/...}, and then belongs to the name's main branch,
 * since branches share their commits; or of a namespace of events. All others don't exist here,
 * whoever asks: the records of names move by the rules of names only.
 *
 * <p>Reading needs the right to read, writing that to write. What a ledger has said stays said:
 *
 * <ul>
 *   <li>Commits and snapshots are created and never replaced, by nobody; but the same bytes may be
 *       written again, which makes them younger, and so safe from those who collect what is old.
 *   <li>Heads and locks move only on condition of what they were, for nobody otherwise; a head only
 *       to what follows it, but for administrators. See {@link HeadAdvanceValidator}.
 *   <li>Other documents of the main branch, which all writers share, are replaced without a
 *       condition only by whoever may initialise the ledger anew.
 *   <li>Documents of other branches, which are below an epoch that only one writer knows, and notes
 *       that say the same whoever writes them, may be written in any way.
 *   <li>Deleting needs the right of an administrator.
 * </ul>
 *
 * <p>Of events the same holds: those, and dead letters, are created and never replaced; claims,
 * cursors and how far sources are move only on condition of what they were; sessions, which say who
 * is there, are written in any way.
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
   * Whose an object is.
   *
   * @param name as grants have it
   * @param path below the place of a ledger; empty for events
   */
  private record Owner(ResourceType realm, String name, String path) {
    void require(Caller caller, Action action) {
      caller.require(action, realm, name);
    }
  }

  /** Ends a request whose caller may not read the object. */
  static void requireRead(Caller caller, String key) {
    owner(key).require(caller, Action.READ);
  }

  /** What may be written. */
  enum WriteRule {
    ANYTHING,
    /** Only what is there already, if anything is. */
    THE_SAME,
    /** Only a head that leads to all that the one there leads to. */
    WHAT_FOLLOWS
  }

  /** Ends a request whose caller may not write the object so, or says what may be written. */
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

  /** Ends a request that would replace history. */
  static ProblemException historyIsImmutable(String key) {
    return refused(key, "is part of the history, which is never replaced; it can only be created");
  }

  /** Ends a request whose caller may not delete the object. */
  static void requireDelete(Caller caller, String key) {
    owner(key).require(caller, Action.ADMIN);
  }

  /** Returns whether the caller may see an entry of a listing. */
  static boolean mayList(Caller caller, Listing.Entry entry) {
    Optional<Owner> owner = find(entry.name());
    if (owner.isPresent()) {
      return caller.may(Action.READ, owner.get().realm(), owner.get().name());
    }
    // A folder of many owners is shown to whoever may see any of them.
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

  /** A path as the branch has it that it is of. */
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
