// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Writer of the data files and the manifest of a commit, all at once, into a directory of this
 * attempt's own, which no reader opens before the head references it.
 *
 * @param beside another request that may run at the same time
 */
record AttemptWriter(
    LedgerObjects objects, Parallel parallel, String runtimeId, Optional<Runnable> beside) {

  /** Maximum number of directory names to try when another attempt has the name. */
  private static final int DIRECTORIES = 3;

  /**
   * Result of a write.
   *
   * @param manifestId the content id of its manifest, computed when it is asked for
   */
  record Attempt(CommittedManifest committed, Supplier<String> manifestId) {}

  Attempt write(PinnedHead pinnedHead, Draft.NewCommit draft, Instant now) {
    for (int i = 0; i < DIRECTORIES; i++) {
      String directory = LedgerLayout.attempt(pinnedHead.nextCommitId(), AttemptIds.next());
      ManifestWriter writer = new ManifestWriter(pinnedHead, draft, directory);
      CommittedManifest committedManifest =
          new CommittedManifest(writer.write(now, runtimeId), LedgerLayout.manifest(directory));
      byte[] bytes =
          CanonicalJson.write(committedManifest.manifest().json(draft.outbox())).getBytes(UTF_8);
      if (writeFiles(draft, directory, committedManifest.path(), bytes)) {
        return new Attempt(committedManifest, () -> Cid.ofJson(bytes));
      }
    }
    throw objects.corrupt(
        LedgerLayout.attempt(pinnedHead.nextCommitId(), "*"),
        "were all there before their attempts began");
  }

  /** Returns whether all files could be written, which is so unless a file of that name existed. */
  private boolean writeFiles(
      Draft.NewCommit draft, String directory, String path, byte[] manifest) {
    AtomicBoolean allNew = new AtomicBoolean(true);
    List<Runnable> writes = new ArrayList<>();
    for (Draft.Part part : draft.files()) {
      String file = LedgerLayout.data(directory, part.type());
      writes.add(() -> create(file, part.rows().body(), allNew));
    }
    writes.add(() -> create(path, Body.of(manifest), allNew));
    beside.ifPresent(writes::add);
    parallel.run(writes);
    return allNew.get();
  }

  private void create(String path, Body body, AtomicBoolean allNew) {
    try {
      if (!objects.put(path, body, Condition.ifAbsent()).written()) {
        allNew.set(false);
      }
    } catch (OutcomeUnknownException e) {
      // Of the file, not of the commit: no reader opens it before the head references it.
      throw new StoreUnavailableException(
          path + " couldn't be written for certain; nothing was committed: try again", e);
    }
  }
}
