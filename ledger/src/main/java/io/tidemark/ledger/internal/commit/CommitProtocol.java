// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.HeadMismatchException;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.Publisher;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.internal.state.Adoption;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes proposals real, one after the other.
 *
 * <p>A commit is: the data files and the manifest, all at once, into a directory of this attempt's
 * own, where nobody looks; then, with the lease still good, the head is replaced if it is still the
 * one the draft was made on. That single conditional write is the moment at which the commit
 * happens. Up to it, a failure or a crash leaves nothing but files that nobody refers to. After it
 * nothing can fail the commit: indices and publication follow in the background, see {@link
 * Aftermath}.
 *
 * <p>What if
 *
 * <ul>
 *   <li><b>another was faster</b>: the draft is made anew on the head that is there now; it may
 *       turn out that there is nothing left to do.
 *   <li><b>the answer to the head's write is lost</b>: the head, or the chain behind it, is
 *       searched for this attempt's manifest, whose path nobody else uses.
 *   <li><b>the lease is lost</b>: nothing is committed; the head's condition would protect it
 *       anyway.
 *   <li><b>there is nothing to change</b>: no lock is taken, and the price is one look at the head,
 *       or none while the lease is held.
 * </ul>
 *
 * <p>Threads take turns in the order in which they come, with the process's one lease.
 */
public final class CommitProtocol implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommitProtocol.class);

  private final LedgerObjects objects;
  private final Chain chain;
  private final Heads heads;
  private final Adoption adoption;
  private final StopGate gate;
  private final WriterLease lease;
  private final Aftermath aftermath;
  private final Parallel parallel;
  private final WriterSettings settings;
  private final Turns turns;

  public CommitProtocol(
      LedgerObjects objects,
      Chain chain,
      Heads heads,
      Publisher publisher,
      WriterSettings settings) {
    this.objects = objects;
    this.chain = chain;
    this.heads = heads;
    this.settings = settings;
    this.adoption = new Adoption(chain);
    this.turns = new Turns(objects.location(), settings.lockTimeout().multipliedBy(2));
    this.gate = new StopGate(objects.location());
    this.lease = new WriterLease(objects, settings, gate);
    this.parallel = new Parallel();
    this.aftermath = new Aftermath(objects, chain, publisher);
  }

  /**
   * Commits what is proposed.
   *
   * @return the commit; empty when there was nothing to change
   * @throws LockContentionException when another writer has the lock for too long
   * @throws HeadMismatchException when others were faster each time
   * @throws OutcomeUnknownException when it can't be found out whether the commit happened
   * @throws WritingStoppedException when the process is to end
   */
  public Optional<Committed> commit(Proposal proposal) {
    return inTurn(
        () -> {
          Retry.Backoff backoff = settings.retry().start();
          for (int lost = 0; ; lost++) {
            gate.check();
            Base base = lease.isHeld() ? adoption.of(heads.known()) : base();
            Optional<Draft> draft = proposal.draft(base);
            if (draft.isPresent() && lease.take(() -> proposal.catchUp(base()))) {
              backoff = settings.retry().start(); // waiting for a turn was no try
              base = base(); // others wrote meanwhile
              draft = proposal.draft(base);
            }
            if (draft.isEmpty()) {
              makeGood(base);
              return Optional.empty();
            }
            Optional<Committed> committed = publishOrDoubt(proposal, base, draft.get());
            if (committed.isPresent()) {
              return committed;
            }
            lease.giveBack();
            if (!backoff.pause()) {
              throw new HeadMismatchException(
                  "the head of the ledger in "
                      + objects.location()
                      + " was moved by others each of "
                      + (lost + 1)
                      + " times; nothing was committed: try again");
            }
          }
        });
  }

  /** What a proposal that is made now would be made on. */
  public Base base() {
    return adoption.of(heads.refresh());
  }

  /** Does something under the ledger's lock that isn't a commit. */
  public <T> T underLock(Function<Base, T> work) {
    return inTurn(
        () -> {
          lease.take(() -> {});
          T result = work.apply(base());
          lease.guard();
          return result;
        });
  }

  private <T> T inTurn(Supplier<T> work) {
    return turns.take(work, lease::done);
  }

  /** Whoever commits next, after one that may yet happen, has to look at the head first. */
  private Optional<Committed> publishOrDoubt(Proposal proposal, Base base, Draft draft) {
    try {
      return draft instanceof Draft.NewCommit commit
          ? publish(proposal, base, commit)
          : move(proposal, base, (Draft.FastForward) draft);
    } catch (OutcomeUnknownException e) {
      lease.giveBack();
      throw e;
    }
  }

  /** Writes everything and moves the head; empty when another moved it first. */
  private Optional<Committed> publish(Proposal proposal, Base base, Draft.NewCommit draft) {
    Instant now = now();
    Optional<Runnable> check = lease.isDueForCheck() ? Optional.of(lease::check) : Optional.empty();
    AttemptWriter writer = new AttemptWriter(objects, parallel, settings.runtimeId(), check);
    AttemptWriter.Attempt attempt = writer.write(base, draft, now);
    Committed committed = attempt.committed();
    Following following = new Following(committed.manifest().touched(), attempt.manifestId());
    return moveHead(proposal, base, new Step(committed, draft, following, now));
  }

  /** What follows a commit: which indices, and the content id of its manifest. */
  private record Following(Set<TypeId> types, Supplier<String> manifestId) {}

  /** What the head is to move to. */
  private record Step(Committed committed, Draft draft, Following following, Instant now) {}

  /** Moves the head to a commit of another branch, and all indices that this concerns. */
  private Optional<Committed> move(Proposal proposal, Base base, Draft.FastForward draft) {
    Committed commit = draft.commit();
    Manifest said = Adoption.of(chain, commit.manifest());
    Set<TypeId> types = said.typesTouchedSince(base.head().commitId());
    Following following = new Following(types, () -> cid(commit.path()));
    return moveHead(proposal, base, new Step(commit, draft, following, now()));
  }

  private Optional<Committed> moveHead(Proposal proposal, Base base, Step step) {
    Committed committed = step.committed();
    ObjectNode next = base.head().next(committed.link(), step.now(), settings.runtimeId());
    return gate.step(
        () -> {
          lease.guard();
          proposal.confirm();
          Optional<Head.Versioned> moved =
              new HeadMove(objects, chain, heads).run(base, next, committed);
          moved.ifPresent(head -> afterwards(step, head));
          return moved.map(head -> committed);
        });
  }

  private Instant now() {
    return objects.store().clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** What comes now can't fail the commit, which is real. */
  private void afterwards(Step step, Head.Versioned head) {
    Committed committed = step.committed();
    try {
      chain.add(committed.path(), committed.manifest());
      if (head.head().manifestPath().equals(Optional.of(committed.path()))) {
        heads.moved(committed, head.head(), head.etag());
      }
      step.draft().applied().run();
      aftermath.follow(
          committed.manifest(),
          step.following().manifestId(),
          head.head().epoch(),
          step.following().types());
    } catch (RuntimeException e) {
      LOG.warn(
          "commit {} is done; what follows it isn't: {}",
          committed.manifest().commitId(),
          e.getMessage());
    }
  }

  /** Has the nameservice told of the newest commit, if the one who made it is known not to have. */
  private void makeGood(Base base) {
    base.newest()
        .ifPresent(
            newest ->
                aftermath.makeGood(
                    newest,
                    () -> cid(base.head().manifestPath().orElseThrow()),
                    base.head().epoch()));
  }

  private String cid(String path) {
    return Cid.ofJson(
        objects.get(path).orElseThrow(() -> objects.corrupt(path, "is missing")).bytes());
  }

  /** Waits until what follows commits is done; never fails. */
  public void flush() {
    aftermath.flush();
  }

  /** What went wrong with what follows commits, if anything did. */
  public Optional<String> lastWarning() {
    return aftermath.lastWarning();
  }

  /**
   * Ends writing at once, from any thread, for a process that has to go: a head that is being
   * replaced still is, whatever else is under way fails, the lock is given back, and what follows
   * commits is waited for. Takes no longer than the limit if the store answers; the next process
   * makes good what had no time.
   */
  public void stop(Duration limit) {
    long start = System.nanoTime();
    gate.stop(limit);
    lease.giveBack();
    aftermath.flush(limit.minusNanos(System.nanoTime() - start));
  }

  /** Waits for the commit that is under way, if there is one; those that wait then fail. */
  @Override
  public void close() {
    turns.end(this::end);
  }

  private void end() {
    try {
      aftermath.close();
    } finally {
      try {
        lease.close();
      } catch (TidemarkException e) {
        LOG.warn("the lock of {} couldn't be given back: {}", objects.location(), e.getMessage());
      }
    }
  }
}
