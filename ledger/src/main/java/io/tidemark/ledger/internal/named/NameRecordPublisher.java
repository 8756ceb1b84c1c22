// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.ledger.commit.CommitPublisher;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import java.util.Optional;

/**
 * Publisher that moves the head of a ledger's record to the newest commit. It moves the head from
 * where it moved it last, which takes one request, or else from wherever the head is. A head that
 * is there or further already is left alone.
 *
 * <p>Publishes in one thread at a time.
 */
final class NameRecordPublisher implements CommitPublisher {

  private final NameService names;
  private final Address address;
  private Optional<Ref> last = Optional.empty();
  private volatile long published;

  /** Creates the publisher of a ledger whose record names this commit as the newest. */
  NameRecordPublisher(NameService names, Address address, long published) {
    this.names = names;
    this.address = address;
    this.published = published;
  }

  @Override
  public void publish(long commitId, String manifestId) {
    Ref ref = Ref.of(manifestId, commitId);
    boolean moved =
        last.isPresent() && names.ledgers().compareAndSetCommit(address, last, ref).updated();
    moved = moved || names.ledgers().fastForward(address, ref).updated();
    last = moved ? Optional.of(ref) : Optional.empty();
    published = commitId; // or newer, by another publisher
  }

  @Override
  public boolean isBehind(long commitId) {
    return published < commitId;
  }

  @Override
  public Optional<PublishedCommit> latest(BranchName branch) {
    return names
        .ledgers()
        .heads(address.onBranch(branch.text()))
        .map(heads -> new PublishedCommit(heads.commit().t(), heads.commit().id()));
  }

  @Override
  public void rewind(long commitId, Optional<String> manifestId) {
    Ref commit = manifestId.map(id -> Ref.of(id, commitId)).orElse(Ref.UNBORN);
    names.ledgers().resetCommit(address, commit);
    last = Optional.empty();
    published = commitId;
  }
}
