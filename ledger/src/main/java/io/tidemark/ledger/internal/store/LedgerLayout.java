// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.BranchName;
import java.util.Optional;

/** Layout of the objects of a ledger, below its prefix. Paths in stored documents are these. */
public final class LedgerLayout {

  public static final String HEAD = "meta/head.json";
  public static final String LOCK = "meta/locks/ontology_write.json";

  /** Path at which a writer that waits for the lock says so; see {@code LockRequest}. */
  public static final String WAITING = "meta/locks/ontology_write.waiting.json";

  public static final String ENGINE = "meta/engine.json";
  public static final String TYPES = "meta/schema/types.json";
  public static final String REGISTRY = "meta/schema/registry.json";
  public static final String DROPPED = "meta/schema/dropped.json";
  public static final String VERSIONS = "meta/schema/versions/";
  public static final String INDICES = "meta/indices/";
  public static final String TYPE_LAYOUTS = "meta/type_layout_catalog.json";
  public static final String COMMITS = "commits/";
  public static final String SNAPSHOTS = "snapshots/";

  /** Notes of rows of dropped types whose files are being deleted. */
  public static final String PURGED = "purged/";

  private static final String DATA = ".parquet";
  private static final String MANIFEST = "manifest.json";
  private static final String JSON = ".json";
  private static final String SUPERSEDED = ".superseded";

  /** Directory of what each branch has of its own, and of what is left of dropped branches. */
  public static final String BRANCHES = BranchName.BRANCHES;

  /** Directory of the objects that a branch has of its own. */
  public static final String META = "meta/";

  public static final String LOCKS = "meta/locks/";

  private LedgerLayout() {}

  /** Returns whether each branch has its own object at this path; commits are shared by all. */
  static boolean isPerBranch(String path) {
    return path.startsWith(META) && !path.equals(ENGINE);
  }

  /** Returns whether all branches that ever have a name have the same object at this path. */
  static boolean isPerBranchName(String path) {
    return path.equals(HEAD) || path.startsWith(LOCKS);
  }

  public static String versions(TypeId type) {
    return VERSIONS + type.kind().singular() + "/" + type.name() + ".json";
  }

  public static String index(TypeId type) {
    return INDICES + type.kind().plural() + "/" + type.name() + ".json";
  }

  /** Returns the directory of one attempt at a commit, with a {@code /} at its end. */
  public static String attempt(long commitId, String attempt) {
    return COMMITS + commitId + "-" + attempt + "/";
  }

  /**
   * Returns the path of the note that the files of a type from before a drop are being deleted.
   *
   * @param dropDirectory of the commit that dropped the type
   */
  public static String purgeNote(TypeId type, String dropDirectory) {
    String attempt = dropDirectory.substring(COMMITS.length(), dropDirectory.length() - 1);
    return purgeNotes(type) + attempt + JSON;
  }

  /** Returns the prefix of the notes of all purges of a type. */
  public static String purgeNotes(TypeId type) {
    return PURGED + type.kind().plural() + "/" + type.name() + "/";
  }

  /** Returns the type whose rows a file of a commit has; empty when commits have no files there. */
  public static Optional<TypeId> dataType(String path) {
    int start = path.startsWith(COMMITS) ? path.indexOf('/', COMMITS.length()) + 1 : 0;
    for (TypeKind typeKind : TypeKind.values()) {
      String directory = typeKind.plural() + "/";
      if (start > 0 && path.startsWith(directory, start) && path.endsWith(DATA)) {
        int name = start + directory.length();
        return type(typeKind, path.substring(name, path.length() - DATA.length()));
      }
    }
    return Optional.empty();
  }

  /** Returns the prefix of the directories of all attempts at a commit. */
  public static String attempts(long commitId) {
    return COMMITS + commitId + "-";
  }

  public static String manifest(String attemptDirectory) {
    return attemptDirectory + MANIFEST;
  }

  /** Returns whether an object below {@link #COMMITS} is the manifest of an attempt. */
  public static boolean isManifest(String path) {
    return path.endsWith("/" + MANIFEST);
  }

  /**
   * Returns the path of the manifest beside a data file; empty when commits have no files there.
   */
  public static Optional<String> manifestOf(String dataPath, TypeId type) {
    String end = data("", type);
    return dataPath.startsWith(COMMITS) && dataPath.endsWith("/" + end)
        ? Optional.of(manifest(dataPath.substring(0, dataPath.length() - end.length())))
        : Optional.empty();
  }

  /** Returns the path of a file with the rows of several commits, under a name used only once. */
  public static String snapshot(TypeId type, long min, long max, String attempt) {
    return SNAPSHOTS
        + type.kind().plural()
        + "/"
        + type.name()
        + "-"
        + min
        + "-"
        + max
        + "-"
        + attempt
        + ".parquet";
  }

  /**
   * Returns the path of the note that a snapshot was replaced by another; its age is what counts.
   */
  public static String supersededNote(String snapshot) {
    return snapshot + SUPERSEDED;
  }

  /** Returns the snapshot that a note is about; empty when the path isn't that of a note. */
  public static Optional<String> notedSnapshot(String path) {
    return path.endsWith(SUPERSEDED)
        ? Optional.of(path.substring(0, path.length() - SUPERSEDED.length()))
        : Optional.empty();
  }

  /** Returns whether an object below {@link #BRANCHES} or {@link #INDICES} is a type's index. */
  public static boolean isIndex(String path) {
    return path.endsWith(".json")
        && (path.startsWith(INDICES)
            || (path.startsWith(BRANCHES) && path.contains("/" + INDICES)));
  }

  /** Returns the type that an index is of; empty when the path isn't that of an index. */
  public static Optional<TypeId> indexedType(String path) {
    for (TypeKind typeKind : TypeKind.values()) {
      String directory = INDICES + typeKind.plural() + "/";
      if (path.startsWith(directory) && path.endsWith(JSON)) {
        return type(typeKind, path.substring(directory.length(), path.length() - JSON.length()));
      }
    }
    return Optional.empty();
  }

  private static Optional<TypeId> type(TypeKind typeKind, String name) {
    try {
      return Optional.of(new TypeId(typeKind, name));
    } catch (InvalidSchemaException e) {
      return Optional.empty(); // a file that no writer of indices puts there
    }
  }

  public static String data(String attemptDirectory, TypeId type) {
    return attemptDirectory + type.kind().plural() + "/" + type.name() + ".parquet";
  }

  /**
   * Returns the home of the branch that a path is in, also of one that was dropped; empty for a
   * path that is in none, as those of heads, locks and notes.
   */
  public static Optional<String> epochDirectoryOf(String path) {
    Optional<String> directory = BranchName.of(path).map(BranchName::directory);
    // Behind the name, which may be meta itself.
    int epoch = path.indexOf('/', directory.map(String::length).orElse(0));
    return directory
        .filter(found -> path.startsWith("/" + META, epoch))
        .map(found -> path.substring(0, epoch + 1));
  }
}
