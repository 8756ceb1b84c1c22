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
 * Drop of a branch: one conditional write makes its head a tombstone, and then its own objects are
 * deleted.
 *
 * <p>The tombstone stays. A write of the head that was sent earlier and arrives late, be it of a
 * commit or of the creation of the branch, finds another version than it expects; an absent head
 * would let it in. It also makes the deletion safe: a creation reads the head first, writes below
 * an epoch of its own second and replaces the head that it read last. Objects from before the
 * tombstone belong to the dropped branch, or to an attempt that will find its head changed. Objects
 * from after it aren't touched.
 *
 * <p>Before the head goes, a note of its position is written. By the note, {@link GcRoots} keeps
 * the branch's commits for a while, for processes that are just about to create a branch from one
 * of them, or to merge it.
 */
final class BranchDrop {

  /** Directory of the note of a dropped branch, below the branch's directory. */
  static final String NOTES = "dropped/";

  private final LedgerObjects target;
  private final WriterSettings settings;
  private final Target which;

  /** Selection among the branches that successively have a name. */
  sealed interface Target {

    /** The present branch, and the remains of earlier ones. */
    record CurrentBranch() implements Target {}

    /** This very branch; others of its name, and those that are being created, aren't touched. */
    record ExactBranch(Branch branch) implements Target {}

    /** No branch; only the remains of dropped or incomplete ones. */
    record RemainsOnly() implements Target {}
  }

  BranchDrop(LedgerObjects target, WriterSettings settings, Target which) {
    this.target = target;
    this.settings = settings;
    this.which = which;
  }

  /** Drops the branch, and returns whether there was one. */
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
        delete(remains); // of an earlier drop, whose process died
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

  /** Returns the keys of all objects below any epoch of the name, or below the one. */
  private List<String> remains() {
    String directory = target.prefix() + target.branch().directory();
    return keys(directory, key -> isDeletable(key.substring(directory.length())));
  }

  /**
   * Returns whether an object may be deleted. Other objects in meta/ date from before branches had
   * directories of their own, and are unused.
   */
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
