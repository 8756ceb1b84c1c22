// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.objects.ETag;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;

/**
 * The one object that says what is committed. A commit is real at the moment this is replaced.
 *
 * @param commitId the newest commit; 0 when there is none
 * @param manifestPath what that commit says of itself; empty exactly when there is none
 * @param epoch tells this ledger from one that was in the same place before it was initialised
 *     anew; empty when another program initialised it
 * @param json all of it, as it is stored, for the sake of what others keep there
 */
public record Head(
    long commitId, Optional<String> manifestPath, Optional<String> epoch, ObjectNode json) {

  /** The head and the version that the next one has to replace. */
  public record Versioned(Head head, ETag etag) {}

  private static final String EPOCH = "epoch";

  /** A head before the first commit. */
  public static ObjectNode first(Instant now, String runtimeId, String epoch) {
    return CanonicalJson.object()
        .put("commit_id", 0)
        .putNull("manifest_path")
        .put("updated_at", UtcTimestamp.format(now))
        .put("runtime_id", runtimeId)
        .put(EPOCH, epoch);
  }

  /** The head after one more commit. */
  public ObjectNode next(String path, Instant now, String runtimeId) {
    ObjectNode next =
        json.deepCopy()
            .put("commit_id", commitId + 1)
            .put("manifest_path", path)
            .put("updated_at", UtcTimestamp.format(now))
            .put("runtime_id", runtimeId);
    epoch.ifPresent(known -> next.put(EPOCH, known));
    return next;
  }

  /** With the epoch it has by what is known, when a commit of another program has left it out. */
  public Head after(Head known) {
    return epoch.isEmpty() && commitId > known.commitId
        ? new Head(commitId, manifestPath, known.epoch, json)
        : this;
  }

  /**
   * Reads the head; empty when the ledger isn't there.
   *
   * @throws CorruptLedgerException when it makes no sense
   */
  public static Optional<Versioned> read(LedgerObjects objects) {
    return objects.read(Layout.HEAD).map(found -> parse(objects, found));
  }

  public static Versioned parse(LedgerObjects objects, LedgerObjects.Document found) {
    JsonNode id = found.json().path("commit_id");
    JsonNode path = found.json().path("manifest_path");
    if (!id.isIntegralNumber() || !id.canConvertToLong() || id.longValue() < 0) {
      throw objects.corrupt(Layout.HEAD, "has a commit_id of " + id);
    }
    boolean hasPath = path.isTextual() && !path.textValue().isEmpty();
    if (hasPath != id.longValue() > 0) {
      throw objects.corrupt(
          Layout.HEAD, "has commit_id " + id + " and manifest_path " + path + ", which can't be");
    }
    Head head =
        new Head(
            id.longValue(),
            hasPath ? Optional.of(path.textValue()) : Optional.empty(),
            Optional.ofNullable(found.json().path(EPOCH).textValue()),
            found.json());
    return new Versioned(head, found.etag());
  }
}
