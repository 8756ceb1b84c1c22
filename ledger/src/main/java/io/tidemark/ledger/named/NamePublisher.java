// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.named;

import io.tidemark.ledger.commit.Publisher;
import io.tidemark.names.Address;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Moves the head of a ledger's record to its newest commit. From where it moved it last, which
 * takes one request; or from wherever it is. A head that is there or further already is left alone.
 *
 * <p>Publishes in one thread at a time.
 */
final class NamePublisher implements Publisher {

  private final NameService names;
  private final Address address;
  private Optional<Ref> last = Optional.empty();
  private volatile long published;

  /** For a ledger whose record says that this commit is its newest. */
  NamePublisher(NameService names, Address address, long published) {
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
    published = commitId; // or newer, by somebody else
  }

  @Override
  public boolean isBehind(long commitId) {
    return published < commitId;
  }

  @Override
  public OptionalLong published() {
    return names
        .ledgers()
        .heads(address)
        .map(heads -> OptionalLong.of(heads.commit().t()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public void retreat(long commitId, Optional<String> manifestId) {
    Ref commit = manifestId.map(id -> Ref.of(id, commitId)).orElse(Ref.UNBORN);
    Ref index =
        names
            .ledgers()
            .heads(address)
            .map(Ledgers.Heads::index)
            .filter(indexed -> indexed.t() <= commitId)
            .orElse(Ref.UNBORN);
    names.ledgers().reset(address, new Ledgers.Heads(commit, index));
    last = Optional.empty();
  }
}
