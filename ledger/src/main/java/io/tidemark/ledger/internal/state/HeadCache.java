// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ReadResult;
import java.util.Optional;

/** Cache of the head, refreshed at the price of one conditional read. */
public final class HeadCache {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private volatile Optional<PinnedHead> known = Optional.empty();

  public HeadCache(LedgerObjects objects, ManifestChain manifestChain) {
    this.objects = objects;
    this.manifestChain = manifestChain;
  }

  /**
   * Returns the objects of a branch together with those documents that only its head leads to.
   *
   * @throws UninitializedLedgerException when there is no such branch
   */
  public static LedgerObjects branchObjects(LedgerObjects objects) {
    return objects.branch().isMain()
        ? objects
        : Head.read(objects)
            .map(found -> objects.forHead(found.head()))
            .orElseThrow(() -> objects.uninitialized());
  }

  /** Returns the head as last read or moved by this process; reads it if it never was. */
  public PinnedHead known() {
    return known.orElseGet(this::refresh);
  }

  /**
   * Returns the head as it is now.
   *
   * @throws UninitializedLedgerException when there is no ledger
   */
  public PinnedHead refresh() {
    Optional<PinnedHead> before = known;
    if (before.isEmpty()) {
      return keep(Head.read(objects).orElseThrow(() -> objects.uninitialized()));
    }
    ReadResult<LedgerObjects.Document> result =
        objects.readIfChanged(LedgerLayout.HEAD, before.get().versioned().etag());
    if (result instanceof ReadResult.NotModified<LedgerObjects.Document>) {
      return before.get();
    }
    if (result instanceof ReadResult.Found<LedgerObjects.Document> found) {
      return keep(Head.find(objects, found.content()).orElseThrow(() -> objects.uninitialized()));
    }
    throw objects.uninitialized();
  }

  /** Notes that this process has moved the head. */
  public void moved(CommittedManifest committedManifest, Head head, ETag etag) {
    keep(new PinnedHead(new Head.Versioned(head, etag), Optional.of(committedManifest.manifest())));
  }

  private PinnedHead keep(Head.Versioned versioned) {
    Head read = versioned.head();
    if (!objects.forHead(read).epoch().equals(objects.epoch())) {
      throw objects.uninitialized(); // another branch has the name by now
    }
    Head head = known.map(pinnedHead -> read.withEpochOf(pinnedHead.head())).orElse(read);
    return keep(
        new PinnedHead(new Head.Versioned(head, versioned.etag()), manifestChain.newest(head)));
  }

  /**
   * Keeps what was found, unless another thread has found something newer meanwhile: a writer that
   * holds the lease relies on knowing the newest.
   */
  private synchronized PinnedHead keep(PinnedHead pinnedHead) {
    if (known.isEmpty() || !isSurpassed(pinnedHead.head(), known.get().head())) {
      known = Optional.of(pinnedHead);
    }
    return pinnedHead;
  }

  private static boolean isSurpassed(Head head, Head by) {
    return head.epoch().equals(by.epoch()) && head.commitId() < by.commitId();
  }
}
