// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.HeadMismatchException;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.Retry;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Drops a branch: its head becomes a tombstone, by one conditional write, and then what it had of
 * its own is deleted.
 *
 * <p>The tombstone stays, so that a write of the head that somebody has sent before and that
 * arrives late, be it of a commit or of the making of the branch, finds another version than it
 * expects; an absent head would let it in. It is also why what is deleted is dead: whoever makes a
 * branch reads the head first, writes below an epoch of its own second and replaces the head it has
 * read last. What was there before the tombstone is of a branch that has gone by it, or of a try
 * that will find its head changed. What was begun after it isn't touched.
 *
 * <p>Before the head goes, a note of where it was is written: by the note, {@link GcRoots} keeps
 * the branch's commits for a while, for the sake of those who are just about to make a branch of
 * one of them, or to merge it.
 */
final class BranchDrop {

  /** Where the note of a dropped branch is, below the branch's directory. */
  static final String NOTES = "dropped/";

  private final LedgerObjects target;
  private final WriterSettings settings;
  private final Target which;

  /** Which of the branches that have a name one after the other is dropped. */
  sealed interface Target {

    /** The one that there is, and what is left of others. */
    record CurrentBranch() implements Target {}

    /** This very one; others, and those that are being made, aren't touched. */
    record ExactBranch(Branch branch) implements Target {}

    /** None; only what is left of those that are gone, or never came to be. */
    record RemainsOnly() implements Target {}
  }

  BranchDrop(LedgerObjects target, WriterSettings settings, Target which) {
    this.target = target;
    this.settings = settings;
    this.which = which;
  }

  /** Whether there was one. */
  boolean drop() {
    Retry.Backoff backoff = settings.retry().start();
    boolean dropped = false;
    do {
      List<String> remains = remains();
      Optional<Document> there = target.read(LedgerLayout.HEAD);
      Optional<Head> head =
          there.flatMap(found -> Head.find(target, found)).map(Head.Versioned::head);
      if (head.isPresent() && !isTarget(head.get())) {
        return dropped;
      }
      if (head.isEmpty() && (remains.isEmpty() || which instanceof Target.ExactBranch)) {
        delete(remains); // by whoever dropped it first, who has died over it
        return dropped;
      }
      head.ifPresent(this::note);
      dropped |= head.isPresent();
      if (new TombstoneWriter(target, settings).replace(there)) {
        head.flatMap(Head::epoch).ifPresent(epoch -> remains.addAll(in(epoch)));
        delete(remains);
        return dropped;
      }
    } while (backoff.pause());
    throw new HeadMismatchException(
        "branch "
            + target.branch()
            + " is being written to, and its head was moved each time; drop it when it is at rest");
  }

  private boolean isTarget(Head head) {
    return which instanceof Target.CurrentBranch
        || (which instanceof Target.ExactBranch exactBranch
            && head.epoch().equals(exactBranch.branch().epoch()));
  }

  private void delete(List<String> keys) {
    keys.forEach(key -> target.store().delete(key));
  }

  private void note(Head head) {
    ObjectNode note =
        CanonicalJson.object()
            .put("commit_id", head.commitId())
            .put("manifest_path", head.manifestPath().orElseThrow())
            .put("dropped_at", UtcTimestamp.format(target.store().clock().instant()));
    String path = target.branch().directory() + NOTES + head.epoch().orElse("unknown") + ".json";
    target.write(path, note, Condition.none());
  }

  /** The keys of all that was written below any epoch of the name, or below the one. */
  private List<String> remains() {
    String directory = target.prefix() + target.branch().directory();
    return keys(directory, key -> isDeletable(key.substring(directory.length())));
  }

  /** What else is in meta/ is of a time when branches had no homes, and nobody reads it. */
  private boolean isDeletable(String path) {
    if (path.equals(LedgerLayout.HEAD)
        || path.startsWith(LedgerLayout.LOCKS)
        || path.startsWith(NOTES)) {
      return false;
    }
    return !(which instanceof Target.ExactBranch exactBranch)
        || path.startsWith(LedgerLayout.META)
        || exactBranch.branch().epoch().filter(epoch -> path.startsWith(epoch + "/")).isPresent();
  }

  private List<String> in(String epoch) {
    return keys(target.prefix() + target.branch().epochDirectory(epoch), key -> true);
  }

  private List<String> keys(String prefix, Predicate<String> choice) {
    try (Stream<ObjectInfo> found = target.store().list(prefix)) {
      return new ArrayList<>(found.map(ObjectInfo::key).filter(choice).toList());
    }
  }
}
