// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.claim.Contest.Outcome;
import io.tidemark.events.claim.Terms.Claimant;
import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.Claims;
import io.tidemark.events.store.DeadLetters;
import io.tidemark.events.store.DeadLetters.Subject;
import io.tidemark.events.store.Publisher;
import io.tidemark.events.store.Scope;
import io.tidemark.events.store.StoredClaim;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims the events of a namespace for the handlers of a process, and gives up what is to be. */
public final class Clerk {

  private static final Logger LOG = LoggerFactory.getLogger(Clerk.class);

  /** Of what is published here, so many times as much is known ahead as of what is looked for. */
  private static final int OWN_AHEAD = 10;

  private static final Comparator<Hold> ORDER =
      Comparator.comparing((Hold hold) -> hold.event().priority(), Comparator.reverseOrder())
          .thenComparing(hold -> hold.event().createdAt())
          .thenComparing(hold -> hold.event().id());

  private final Scope scope;
  private final Shelf shelf;
  private final Look look;
  private final Claims claims;
  private final Publisher publisher;
  private final DeadLetters deadLetters;
  private final Terms terms;

  /**
   * Claims of one request.
   *
   * @param desk state of the handler
   */
  private record Work(Desk desk, String sessionId, Duration lease) {}

  public Clerk(Scope scope) {
    this.scope = scope;
    this.shelf = new Shelf();
    this.look = new Look(scope, shelf);
    this.claims = new Claims(scope);
    int most = OWN_AHEAD * scope.options().limits().readAhead();
    this.publisher = new Publisher(scope, event -> shelf.place(event, most));
    this.deadLetters = new DeadLetters(scope, claims, publisher);
    this.terms = new Terms(scope.options());
  }

  public Publisher publisher() {
    return publisher;
  }

  public DeadLetters deadLetters() {
    return deadLetters;
  }

  Scope scope() {
    return scope;
  }

  Claims claims() {
    return claims;
  }

  Terms terms() {
    return terms;
  }

  /** Looks for new events; whether there is more to be found. */
  public boolean poll() {
    return look.now();
  }

  /** What a handler has before it. */
  public Backlog backlog(String handlerId) {
    return shelf
        .backlog(handlerId, scope.now())
        .orElseGet(() -> new Backlog(0, 0, Optional.empty()));
  }

  /** Claims events for a handler. */
  public List<Hold> claim(ClaimRequest request) {
    Work work =
        new Work(
            look.forClaim(request),
            request.sessionId(),
            request.lease().orElse(scope.options().claimLease()));
    List<Hold> won = new ArrayList<>();
    Instant begun = scope.now();
    boolean goOn = true;
    while (goOn && won.size() < request.limit() && isSoonAfter(begun, work)) {
      List<Shelved> batch = shelf.take(work.desk(), request.limit() - won.size(), scope.now());
      goOn = !batch.isEmpty() && claim(work, batch, won);
    }
    won.sort(ORDER);
    return won;
  }

  /** Who claims for too long would lose the first before it has the last. */
  private boolean isSoonAfter(Instant begun, Work work) {
    return scope.now().isBefore(begun.plus(work.lease().dividedBy(3)));
  }

  /** Claims these; whether it makes sense to go on. */
  private boolean claim(Work work, List<Shelved> batch, List<Hold> won) {
    Deque<Shelved> rest = new ArrayDeque<>(batch);
    try {
      Instant begun = scope.now();
      while (!rest.isEmpty() && isSoonAfter(begun, work)) {
        Optional<Hold> hold = claim(work, rest.getFirst());
        rest.removeFirst();
        hold.ifPresent(won::add);
        if (hold.isEmpty()) {
          rest = shuffled(rest); // whoever was faster goes through them in the same order
        }
      }
      return true;
    } catch (TidemarkException e) {
      if (won.isEmpty()) {
        throw e;
      }
      LOG.warn("claimed fewer events than there are: {}", e.getMessage());
      return false;
    } finally {
      shelf.putBack(work.desk(), rest);
    }
  }

  private Deque<Shelved> shuffled(Deque<Shelved> rest) {
    List<Shelved> list = new ArrayList<>(rest);
    Collections.shuffle(list, new Random(scope.options().random().nextLong()));
    return new ArrayDeque<>(list);
  }

  /** Claims an event that is nobody's, as far as is known; empty when it is somebody's. */
  private Optional<Hold> claim(Work work, Shelved shelved) {
    Desk desk = work.desk();
    Content content = shelved.content();
    Optional<String> bad =
        content instanceof Content.Bad reason ? Optional.of(reason.reason()) : Optional.empty();
    Optional<Subject> subject = subject(shelved, content);
    if (subject.isEmpty()) {
      shelf.gone(shelved);
      return Optional.empty();
    }
    Claimant who = new Claimant(shelved.id(), desk.handlerId(), work.sessionId(), work.lease());
    Outcome outcome = new Contest(scope, terms, who, bad).run(shelf.known(desk, shelved));
    if (outcome instanceof Outcome.Won won) {
      shelf.saw(desk, shelved, won.stored(), scope.now());
      return Optional.of(
          new Hold(this, subject.get().event().orElseThrow(), won.stored(), work.lease()));
    }
    if (outcome instanceof Outcome.Lost lost) {
      Subject seen =
          lost.raw().isPresent() ? new Subject(subject.get().event(), lost.raw()) : subject.get();
      saw(desk, shelved, lost.current(), seen);
    } else {
      shelf.putBack(desk, List.of(shelved));
    }
    return Optional.empty();
  }

  /** Takes note of a claim, and completes what somebody else may have left half done. */
  private void saw(Desk desk, Shelved shelved, StoredClaim current, Subject subject) {
    shelf.saw(desk, shelved, current, scope.now());
    if (current.isHalfDead()) {
      shelf.saw(desk, shelved, bury(current, subject), scope.now());
    }
  }

  /**
   * Sees to what follows from a claim that was given up.
   *
   * @return the claim, still half done when that has failed: it is tried again at the next claim
   */
  StoredClaim bury(StoredClaim given, Subject subject) {
    try {
      return deadLetters.complete(given, subject);
    } catch (TidemarkException e) {
      LOG.warn("a dead letter of {} is left for later: {}", given.claim(), e.getMessage());
      return given;
    }
  }

  /** How a claim is now that was made here or elsewhere. */
  void saw(StoredClaim stored) {
    shelf.saw(stored, scope.now());
  }

  /** What is to be handled; empty when it isn't there any more. */
  private Optional<Subject> subject(Shelved shelved, Content content) {
    if (content instanceof Content.Bad bad) {
      return Optional.of(bad.subject());
    }
    Optional<Event> event =
        content instanceof Content.Whole whole
            ? Optional.of(whole.event())
            : look.readAgain(shelved);
    return event.map(Subject::of);
  }

  /** A delivery that was made elsewhere. */
  public Optional<Hold> adopt(Event event, StoredClaim stored) {
    return stored.claim().isFinished()
        ? Optional.empty()
        : Optional.of(new Hold(this, event, stored, scope.options().claimLease()));
  }

  /** Writes down how far all handlers are. */
  public void close() {
    look.close();
  }
}
