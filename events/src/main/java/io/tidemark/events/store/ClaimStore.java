// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Claim;
import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoredObject;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of the claims of a namespace. Each write is conditional on the version it replaces. It also
 * carries an id of its own, so that no two versions are equal and a write with a lost answer can be
 * recognized.
 */
public record ClaimStore(NamespaceStore scope) {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimStore.class);

  /** Stored object under the key of a claim. */
  public sealed interface StoredEntry {

    /** A valid claim. */
    record Valid(StoredClaim stored) implements StoredEntry {}

    /** An object that isn't a valid claim. */
    record Unreadable(ETag etag, String problem, String raw) implements StoredEntry {}
  }

  public Optional<StoredEntry> read(String eventId, String handlerId) {
    return read(scope.layout().claim(eventId, handlerId));
  }

  /** Reads a claim by its key. */
  public Optional<StoredEntry> read(String key) {
    return scope.store().get(key).map(object -> parse(key, object));
  }

  /**
   * Parses a claim. A claim that names another event or handler is unreadable, as it would be
   * written to the key of that one.
   */
  private StoredEntry parse(String key, StoredObject object) {
    try {
      ObjectNode json = NamespaceStore.parse(object.bytes());
      Claim claim = StoredClaim.read(json);
      if (!scope.layout().claim(claim.eventId(), claim.handlerId()).equals(key)) {
        throw new UnreadableDocumentException("is of another event or handler than its place says");
      }
      return new StoredEntry.Valid(new StoredClaim(claim, json, object.etag()));
    } catch (UnreadableDocumentException e) {
      return new StoredEntry.Unreadable(object.etag(), e.problem(), object.text());
    }
  }

  /** Creates the first claim of a handler on an event; empty when there is one. */
  public Optional<StoredClaim> create(Claim claim) {
    return put(claim, StoredClaim.empty(), Optional.empty());
  }

  /** Replaces a version; empty when another version is there by now. */
  public Optional<StoredClaim> replace(StoredClaim known, Claim next) {
    return put(next, known.json(), Optional.of(known.etag()));
  }

  /** Replaces an unreadable claim; empty when another version is there by now. */
  public Optional<StoredClaim> replace(StoredEntry.Unreadable known, Claim next) {
    return put(next, StoredClaim.empty(), Optional.of(known.etag()));
  }

  /**
   * Marks the dead letter of a claim as written and announced. If that fails, the next reader
   * completes it again.
   */
  StoredClaim markComplete(StoredClaim given) {
    ObjectNode json = StoredClaim.markComplete(given.json());
    String key = scope.layout().claim(given.claim().eventId(), given.claim().handlerId());
    try {
      Optional<ETag> unused = scope.write(key, Optional.of(given.etag()), json);
    } catch (OutcomeUnknownException e) {
      LOG.debug("{} may not be marked as complete: {}", key, e.getMessage());
    }
    return new StoredClaim(given.claim(), json, given.etag());
  }

  private Optional<StoredClaim> put(Claim claim, ObjectNode over, Optional<ETag> expected) {
    String writeId = UUID.randomUUID().toString();
    ObjectNode json = StoredClaim.write(claim, over, writeId);
    String key = scope.layout().claim(claim.eventId(), claim.handlerId());
    try {
      return scope.write(key, expected, json).map(etag -> new StoredClaim(claim, json, etag));
    } catch (OutcomeUnknownException e) {
      return read(key)
          .flatMap(
              storedEntry ->
                  storedEntry instanceof StoredEntry.Valid valid
                      ? Optional.of(valid.stored())
                      : Optional.empty())
          .filter(stored -> stored.writeId().equals(Optional.of(writeId)));
    }
  }
}
