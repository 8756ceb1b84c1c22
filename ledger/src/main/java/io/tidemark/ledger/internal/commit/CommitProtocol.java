// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.CommitPublisher;
import io.tidemark.ledger.commit.HeadMismatchException;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
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
 * Protocol that commits proposals, one after the other.
 *
 * <p>A commit first writes the data files and the manifest, all at once, into a directory of this
 * attempt's own, which no reader opens. Then, with the lease still good, it replaces the head if
 * that is still the one the draft was made on. That single conditional write is the moment at which
 * the commit happens. Up to it, a failure or a crash leaves nothing but unreferenced files. After
 * it nothing can fail the commit: indices and publication follow in the background, see {@link
 * PostCommitWorker}.
 *
 * <p>Special cases:
 *
 * <ul>
 *   <li><b>another writer was faster</b>: the draft is made anew on the present head; it may turn
 *       out that there is nothing left to do.
 *   <li><b>the answer to the head's write is lost</b>: the head, or the chain behind it, is
 *       searched for this attempt's manifest, whose path is unique.
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
  private final ManifestChain manifestChain;
  private final HeadCache headCache;
  private final ManifestCompleter manifestCompleter;
  private final ShutdownGate gate;
  private final WriterLease lease;
  private final PostCommitWorker postCommitWorker;
  private final Parallel parallel;
  private final WriterSettings settings;
  private final CommitQueue commitQueue;

  public CommitProtocol(
      LedgerObjects objects,
      ManifestChain manifestChain,
      HeadCache headCache,
      CommitPublisher commitPublisher,
      WriterSettings settings) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.headCache = headCache;
    this.settings = settings;
    this.manifestCompleter = new ManifestCompleter(manifestChain);
    this.commitQueue = new CommitQueue(objects.location(), settings.lockTimeout().multipliedBy(2));
    this.gate = new ShutdownGate(objects.location());
    this.lease = new WriterLease(objects, settings, gate);
    this.parallel = new Parallel();
    this.postCommitWorker = new PostCommitWorker(objects, manifestChain, commitPublisher);
  }

  /**
   * Commits a proposal.
   *
   * @return the commit; empty when there was nothing to change
   * @throws LockContentionException when another writer has the lock for too long
   * @throws HeadMismatchException when other writers were faster each time
   * @throws OutcomeUnknownException when it can't be found out whether the commit happened
   * @throws WritingStoppedException when the process is to end
   */
  public Optional<CommittedManifest> commit(Proposal proposal) {
    return inQueue(
        () -> {
          Retry.Backoff backoff = settings.retry().start();
          for (int lost = 0; ; lost++) {
            gate.check();
            PinnedHead pinnedHead =
                lease.isHeld() ? manifestCompleter.complete(headCache.known()) : base();
            Optional<Draft> draft = proposal.draft(pinnedHead);
            if (draft.isPresent() && lease.ensureHeld(() -> proposal.catchUp(base()))) {
              backoff = settings.retry().start(); // waiting for a turn was no attempt
              pinnedHead = base(); // other writers committed meanwhile
              draft = proposal.draft(pinnedHead);
            }
            if (draft.isEmpty()) {
              repairPublication(pinnedHead);
              return Optional.empty();
            }
            Optional<CommittedManifest> committed =
                publishOrDoubt(proposal, pinnedHead, draft.get());
            if (committed.isPresent()) {
              return committed;
            }
            lease.release();
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

  /** Returns the base that a proposal would be drafted on now. */
  public PinnedHead base() {
    return manifestCompleter.complete(headCache.refresh());
  }

  /** Runs work under the ledger's lock that isn't a commit. */
  public <T> T underLock(Function<PinnedHead, T> work) {
    return inQueue(
        () -> {
          lease.ensureHeld(() -> {});
          T result = work.apply(base());
          lease.requireHeld();
          return result;
        });
  }

  private <T> T inQueue(Supplier<T> work) {
    return commitQueue.run(work, lease::markIdle);
  }

  /** Publishes a draft. If the outcome is unknown, the next commit has to read the head first. */
  private Optional<CommittedManifest> publishOrDoubt(
      Proposal proposal, PinnedHead pinnedHead, Draft draft) {
    try {
      return draft instanceof Draft.NewCommit commit
          ? publish(proposal, pinnedHead, commit)
          : fastForward(proposal, pinnedHead, (Draft.FastForward) draft);
    } catch (OutcomeUnknownException e) {
      lease.release();
      throw e;
    }
  }

  /** Writes everything and moves the head; returns empty when another writer moved it first. */
  private Optional<CommittedManifest> publish(
      Proposal proposal, PinnedHead pinnedHead, Draft.NewCommit draft) {
    Instant now = now();
    Optional<Runnable> check = lease.isDueForCheck() ? Optional.of(lease::check) : Optional.empty();
    AttemptWriter writer = new AttemptWriter(objects, parallel, settings.runtimeId(), check);
    AttemptWriter.Attempt attempt = writer.write(pinnedHead, draft, now);
    CommittedManifest committedManifest = attempt.committed();
    FollowUpWork followUpWork =
        new FollowUpWork(committedManifest.manifest().touched(), attempt.manifestId());
    return moveHead(
        proposal, pinnedHead, new NextHead(committedManifest, draft, followUpWork, now));
  }

  /** Work that follows a commit: the indices to update, and the content id of its manifest. */
  private record FollowUpWork(Set<TypeId> types, Supplier<String> manifestId) {}

  /** Next state of the head. */
  private record NextHead(
      CommittedManifest committed, Draft draft, FollowUpWork following, Instant now) {}

  /** Moves the head to a commit of another branch, and updates all indices that this concerns. */
  private Optional<CommittedManifest> fastForward(
      Proposal proposal, PinnedHead pinnedHead, Draft.FastForward draft) {
    CommittedManifest commit = draft.commit();
    Manifest said = ManifestCompleter.complete(manifestChain, commit.manifest());
    Set<TypeId> types = said.typesTouchedSince(pinnedHead.head().commitId());
    FollowUpWork followUpWork = new FollowUpWork(types, () -> cid(commit.path()));
    return moveHead(proposal, pinnedHead, new NextHead(commit, draft, followUpWork, now()));
  }

  private Optional<CommittedManifest> moveHead(
      Proposal proposal, PinnedHead pinnedHead, NextHead nextHead) {
    CommittedManifest committedManifest = nextHead.committed();
    ObjectNode next =
        pinnedHead.head().next(committedManifest.link(), nextHead.now(), settings.runtimeId());
    return gate.runStep(
        () -> {
          lease.requireHeld();
          proposal.confirm();
          Optional<Head.Versioned> moved =
              new HeadUpdate(objects, manifestChain, headCache)
                  .apply(pinnedHead, next, committedManifest);
          moved.ifPresent(head -> startFollowUp(nextHead, head));
          return moved.map(head -> committedManifest);
        });
  }

  private Instant now() {
    return objects.store().clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Starts the work that follows; it can't fail the commit, which is real. */
  private void startFollowUp(NextHead nextHead, Head.Versioned head) {
    CommittedManifest committedManifest = nextHead.committed();
    try {
      manifestChain.add(committedManifest.path(), committedManifest.manifest());
      if (head.head().manifestPath().equals(Optional.of(committedManifest.path()))) {
        headCache.moved(committedManifest, head.head(), head.etag());
      }
      nextHead.draft().applied().run();
      postCommitWorker.submit(
          committedManifest.manifest(),
          nextHead.following().manifestId(),
          head.head().epoch(),
          nextHead.following().types());
    } catch (RuntimeException e) {
      LOG.warn(
          "commit {} is done; what follows it isn't: {}",
          committedManifest.manifest().commitId(),
          e.getMessage());
    }
  }

  /** Publishes the newest commit to the nameservice, if its writer is known not to have done so. */
  private void repairPublication(PinnedHead pinnedHead) {
    pinnedHead
        .newest()
        .ifPresent(
            newest ->
                postCommitWorker.repair(
                    newest,
                    () -> cid(pinnedHead.head().manifestPath().orElseThrow()),
                    pinnedHead.head().epoch()));
  }

  private String cid(String path) {
    return Cid.ofJson(
        objects.get(path).orElseThrow(() -> objects.corrupt(path, "is missing")).bytes());
  }

  /** Waits until the work that follows commits is done; never fails. */
  public void flush() {
    postCommitWorker.flush();
  }

  /** Returns the failure of the work that follows commits, if there was one. */
  public Optional<String> lastWarning() {
    return postCommitWorker.lastWarning();
  }

  /**
   * Stops writing at once, for a process that has to end. May be called from any thread. A
   * replacement of the head that is under way completes, all other work fails, the lock is
   * released, and the call waits for the work that follows commits. Takes no longer than the limit
   * if the store answers; the next process repairs the rest.
   */
  public void stop(Duration limit) {
    long start = System.nanoTime();
    gate.stop(limit);
    lease.release();
    postCommitWorker.flush(limit.minusNanos(System.nanoTime() - start));
  }

  /** Waits for the commit that is under way, if there is one; waiting threads then fail. */
  @Override
  public void close() {
    commitQueue.shutDown(this::end);
  }

  private void end() {
    try {
      postCommitWorker.close();
    } finally {
      try {
        lease.close();
      } catch (TidemarkException e) {
        LOG.warn("the lock of {} couldn't be given back: {}", objects.location(), e.getMessage());
      }
    }
  }
}
