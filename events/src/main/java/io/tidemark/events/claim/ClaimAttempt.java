// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.claim.ClaimTransitions.Claimant;
import io.tidemark.events.model.Claim;
import io.tidemark.events.store.ClaimStore;
import io.tidemark.events.store.ClaimStore.StoredEntry;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.StoredClaim;
import java.time.Instant;
import java.util.Optional;

/**
 * Attempt to claim one event for one handler.
 *
 * <p>The first claim is written on condition that none exists, a later one on condition that the
 * expired version is still there. So exactly one claimant wins. A claimant that loses reads the
 * current claim, which says when to try again or that the handler is done with the event.
 */
final class ClaimAttempt {

  /** Maximum number of lost races in a row. */
  private static final int ROUNDS = 4;

  private final NamespaceStore namespaceStore;
  private final ClaimStore claimStore;
  private final ClaimTransitions claimTransitions;
  private final Claimant who;
  private final Claim first;
  private final Optional<String> bad;

  /** Result of an attempt. */
  sealed interface Outcome {

    /** The event was claimed. */
    record Won(StoredClaim stored) implements Outcome {}

    /**
     * The event can't be claimed now.
     *
     * @param raw what was in place of the claim, if that couldn't be read
     */
    record Lost(StoredClaim current, Optional<String> raw) implements Outcome {}

    /** Other claimants won every race. */
    record Undecided() implements Outcome {}
  }

  /**
   * Creates an attempt.
   *
   * @param bad why the event can't be handled, and is to be given up
   */
  ClaimAttempt(
      NamespaceStore namespaceStore,
      ClaimTransitions claimTransitions,
      Claimant who,
      Optional<String> bad) {
    this.namespaceStore = namespaceStore;
    this.claimStore = new ClaimStore(namespaceStore);
    this.claimTransitions = claimTransitions;
    this.who = who;
    this.first = claimTransitions.firstClaim(who, namespaceStore.now());
    this.bad = bad;
  }

  /**
   * Claims the event if it can be claimed.
   *
   * @param known the claim as last seen, empty if none was. A released or finished claim is taken
   *     to be unchanged; a claim with a lease has most likely been settled since, and is read first
   */
  Outcome run(Optional<StoredClaim> known) {
    Optional<StoredEntry> there =
        known.flatMap(
            stored ->
                stored.claim().isFinished() || stored.claim().lastError().isPresent()
                    ? Optional.of(new StoredEntry.Valid(stored))
                    : claimStore.read(first.eventId(), first.handlerId()));
    for (int i = 0; i < ROUNDS; i++) {
      Optional<Outcome> outcome = there.isPresent() ? replace(there.get()) : create();
      if (outcome.isPresent()) {
        return outcome.get();
      }
      there = claimStore.read(first.eventId(), first.handlerId());
    }
    return new Outcome.Undecided();
  }

  /** Creates the first claim; empty when there is a claim after all. */
  private Optional<Outcome> create() {
    Claim claim =
        bad.map(reason -> claimTransitions.deadLettered(first, reason, namespaceStore.now()))
            .orElse(first);
    return claimStore.create(claim).map(stored -> outcome(stored, Optional.empty()));
  }

  /** Replaces a version of the claim; empty when another version is there by now. */
  private Optional<Outcome> replace(StoredEntry there) {
    Instant now = namespaceStore.now();
    if (there instanceof StoredEntry.Unreadable unreadable) {
      Claim dead = claimTransitions.deadLettered(first, "the claim " + unreadable.problem(), now);
      return claimStore
          .replace(unreadable, dead)
          .map(stored -> outcome(stored, Optional.of(unreadable.raw())));
    }
    StoredClaim stored = ((StoredEntry.Valid) there).stored();
    if (stored.claim().isFinished() || stored.claim().dueAt().isAfter(now)) {
      return Optional.of(new Outcome.Lost(stored, Optional.empty()));
    }
    return claimStore
        .replace(stored, nextClaim(stored, now))
        .map(won -> outcome(won, Optional.empty()));
  }

  private Claim nextClaim(StoredClaim stored, Instant now) {
    Claim next = claimTransitions.reclaimed(stored.claim(), who, now);
    if (bad.isPresent()) {
      return claimTransitions.deadLettered(next, bad.get(), now);
    }
    return claimTransitions.hasExceededAttempts(next)
        ? claimTransitions.deadLettered(
            next,
            "its lease ran out "
                + next.leaseExpiries()
                + " times without a word, as when whoever handles it dies",
            now)
        : next;
  }

  private static Outcome outcome(StoredClaim ours, Optional<String> raw) {
    return ours.claim().isFinished() ? new Outcome.Lost(ours, raw) : new Outcome.Won(ours);
  }
}
