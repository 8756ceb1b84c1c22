// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.ledger.internal.named.DefaultLocation;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.HeadTransitionCheck;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.names.Address;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.problem.ProblemException;
import java.util.Optional;

/**
 * Validator of head updates by callers that may write but not administer. Objects that a head
 * doesn't reach are garbage-collected after a while, so the next head must reach everything that
 * the current one reaches.
 *
 * <p>Each commit takes three requests to the store: for the head, for its own manifest and for that
 * of its parent.
 */
final class HeadAdvanceValidator {

  /** Maximum number of commits in one update; a larger update requires an administrator. */
  private static final int FURTHEST = 10_000;

  private final String key;
  private final LedgerObjects objects;

  HeadAdvanceValidator(ObjectStore store, String key) {
    this.key = key;
    DefaultLocation place = DefaultLocation.parse(key).orElseThrow();
    this.objects =
        new LedgerObjects(store, DefaultLocation.of(new Address(place.name(), Address.MAIN)))
            .forBranch(BranchName.of(place.path()).orElse(BranchName.MAIN));
  }

  /**
   * Refuses an update that would lose commits.
   *
   * @return the actual version if it isn't the expected one; empty if the update is valid
   */
  Optional<VersionMismatch> validate(ETag expected, byte[] next) {
    try {
      Optional<Document> there = objects.read(LedgerLayout.HEAD);
      Optional<ETag> actual = there.map(Document::etag);
      if (!actual.equals(Optional.of(expected))) {
        return Optional.of(new VersionMismatch(actual));
      }
      Optional<String> objection =
          new HeadTransitionCheck(objects, FURTHEST)
              .objection(
                  there.flatMap(this::head),
                  head(new Document(objects.parse(LedgerLayout.HEAD, next), expected)));
      if (objection.isPresent()) {
        throw refused(objection.get());
      }
      return Optional.empty();
    } catch (CorruptLedgerException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** Actual version of the head, if there is one, that differs from the expected version. */
  record VersionMismatch(Optional<ETag> actual) {}

  private Optional<Head> head(Document document) {
    return Head.find(objects, document).map(Head.Versioned::head);
  }

  private ProblemException refused(String why) {
    return ObjectPermissions.refused(
        key,
        "may only move on to commits that follow those it has, unless by an administrator: " + why);
  }
}
