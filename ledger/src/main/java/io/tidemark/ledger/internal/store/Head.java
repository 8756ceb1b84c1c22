// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;
import java.util.Optional;

/**
 * Head of a branch: the one object that says what is committed. A commit takes place at the moment
 * this is replaced.
 *
 * @param commitId the newest commit; 0 when there is none
 * @param manifestPath the path of that commit's manifest; empty exactly when there is none
 * @param epoch tells this ledger from one that was in the same place before it was initialised
 *     anew; empty when another program initialised it
 * @param json all of it, as it is stored, for the sake of the members that other programs keep
 *     there
 */
public record Head(
    long commitId, Optional<String> manifestPath, Optional<String> epoch, ObjectNode json) {

  /** Head with the version that the next one has to replace. */
  public record Versioned(Head head, ETag etag) {}

  private static final String EPOCH = "epoch";
  private static final String FORKED = "forked_from";
  private static final String DROPPED = "dropped_at";

  /** Returns a head before the first commit. */
  public static ObjectNode initial(Instant now, String runtimeId, String epoch) {
    return CanonicalJson.object()
        .put("commit_id", 0)
        .putNull("manifest_path")
        .put("updated_at", UtcTimestamp.format(now))
        .put("runtime_id", runtimeId)
        .put(EPOCH, epoch);
  }

  /** Returns the head of a new branch. */
  public static ObjectNode ofBranch(
      ForkPoint forkPoint, Manifest.Link tip, Instant now, String runtimeId, String epoch) {
    ObjectNode json =
        initial(now, runtimeId, epoch)
            .put("commit_id", tip.commitId())
            .put("manifest_path", tip.path());
    json.putObject(FORKED)
        .put("branch", forkPoint.branch())
        .put("commit_id", forkPoint.from().commitId())
        .put("manifest_path", forkPoint.from().path());
    return json;
  }

  /**
   * Returns the document that replaces a dropped head for good: a write that was meant for the
   * head, or for its absence, and arrives late, finds another version than it expects.
   *
   * @param mark makes it differ from any before
   */
  public static ObjectNode tombstone(Instant now, String runtimeId, String mark) {
    return CanonicalJson.object()
        .put(DROPPED, UtcTimestamp.format(now))
        .put("runtime_id", runtimeId)
        .put("mark", mark);
  }

  /** Point where a branch began: the branch it was made from, and the commit. */
  public record ForkPoint(String branch, Manifest.Link from) {}

  /** Returns the point where this branch began; empty for main. */
  public Optional<ForkPoint> forked() {
    JsonNode said = json.path(FORKED);
    return said.isObject()
        ? Optional.of(
            new ForkPoint(
                said.path("branch").asText(),
                new Manifest.Link(
                    said.path("commit_id").asLong(), said.path("manifest_path").asText())))
        : Optional.empty();
  }

  /** Returns the newest commit; empty when there is none. */
  public Optional<Manifest.Link> tip() {
    return manifestPath.map(path -> new Manifest.Link(commitId, path));
  }

  /** Returns the head at some commit after this one. */
  public ObjectNode next(Manifest.Link commit, Instant now, String runtimeId) {
    ObjectNode next =
        json.deepCopy()
            .put("commit_id", commit.commitId())
            .put("manifest_path", commit.path())
            .put("updated_at", UtcTimestamp.format(now))
            .put("runtime_id", runtimeId);
    epoch.ifPresent(known -> next.put(EPOCH, known));
    return next;
  }

  /** Returns the head with the epoch of a known one, if a commit of another program left it out. */
  public Head withEpochOf(Head known) {
    return epoch.isEmpty() && commitId > known.commitId
        ? new Head(commitId, manifestPath, known.epoch, json)
        : this;
  }

  /**
   * Reads the head; empty when the ledger, or the branch, isn't there or isn't there any more.
   *
   * @throws CorruptLedgerException when it makes no sense
   */
  public static Optional<Versioned> read(LedgerObjects objects) {
    return objects.read(LedgerLayout.HEAD).flatMap(found -> find(objects, found));
  }

  /** Returns the head that a document is; empty when it is a tombstone. */
  public static Optional<Versioned> find(LedgerObjects objects, LedgerObjects.Document found) {
    return found.json().has(DROPPED) ? Optional.empty() : Optional.of(parse(objects, found));
  }

  public static Versioned parse(LedgerObjects objects, LedgerObjects.Document found) {
    JsonNode id = found.json().path("commit_id");
    JsonNode path = found.json().path("manifest_path");
    if (!id.isIntegralNumber() || !id.canConvertToLong() || id.longValue() < 0) {
      throw objects.corrupt(LedgerLayout.HEAD, "has a commit_id of " + id);
    }
    boolean hasPath = path.isTextual() && !path.textValue().isEmpty();
    if (hasPath != id.longValue() > 0) {
      throw objects.corrupt(
          LedgerLayout.HEAD,
          "has commit_id " + id + " and manifest_path " + path + ", which can't be");
    }
    if (hasPath) {
      requireKey(objects, path.textValue());
    }
    Head head =
        new Head(
            id.longValue(),
            hasPath ? Optional.of(path.textValue()) : Optional.empty(),
            Optional.ofNullable(found.json().path(EPOCH).textValue()),
            found.json());
    return new Versioned(head, found.etag());
  }

  /** Reports a path that no object can have as a fault of the head, and not of its reader. */
  private static void requireKey(LedgerObjects objects, String path) {
    try {
      String unused = ObjectKeys.check(path);
    } catch (InvalidKeyException e) {
      throw objects.corrupt(
          LedgerLayout.HEAD, "has a manifest_path that can't be: " + e.getMessage());
    }
  }
}
