// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ReadResult;
import java.util.Optional;

/** The head as this process knows it, looked at again at the price of one conditional read. */
public final class Heads {

  private final LedgerObjects objects;
  private final Chain chain;
  private volatile Optional<Base> known = Optional.empty();

  public Heads(LedgerObjects objects, Chain chain) {
    this.objects = objects;
    this.chain = chain;
  }

  /**
   * The objects of a branch together with those documents that only its head leads to.
   *
   * @throws UninitializedLedgerException when there is no such branch
   */
  public static LedgerObjects home(LedgerObjects objects) {
    return objects.branch().isMain()
        ? objects
        : Head.read(objects)
            .map(found -> objects.of(found.head()))
            .orElseThrow(() -> objects.uninitialized());
  }

  /** As it was when it was last looked at or moved by us; looked at when it never was. */
  public Base known() {
    return known.orElseGet(this::refresh);
  }

  /**
   * As it is now.
   *
   * @throws UninitializedLedgerException when there is no ledger
   */
  public Base refresh() {
    Optional<Base> before = known;
    if (before.isEmpty()) {
      return keep(Head.read(objects).orElseThrow(() -> objects.uninitialized()));
    }
    ReadResult<LedgerObjects.Document> result =
        objects.readIfChanged(Layout.HEAD, before.get().versioned().etag());
    if (result instanceof ReadResult.NotModified<LedgerObjects.Document>) {
      return before.get();
    }
    if (result instanceof ReadResult.Found<LedgerObjects.Document> found) {
      return keep(Head.find(objects, found.content()).orElseThrow(() -> objects.uninitialized()));
    }
    throw objects.uninitialized();
  }

  /** The head has been moved by us. */
  public void moved(Committed committed, Head head, ETag etag) {
    keep(new Base(new Head.Versioned(head, etag), Optional.of(committed.manifest())));
  }

  private Base keep(Head.Versioned versioned) {
    Head read = versioned.head();
    if (!objects.of(read).epoch().equals(objects.epoch())) {
      throw objects.uninitialized(); // another has the name by now
    }
    Head head = known.map(base -> read.after(base.head())).orElse(read);
    return keep(new Base(new Head.Versioned(head, versioned.etag()), chain.newest(head)));
  }

  /**
   * Keeps what was found, unless another thread has found something newer meanwhile: a writer that
   * holds the lease relies on knowing the newest.
   */
  private synchronized Base keep(Base base) {
    if (known.isEmpty() || !isSurpassed(base.head(), known.get().head())) {
      known = Optional.of(base);
    }
    return base;
  }

  private static boolean isSurpassed(Head head, Head by) {
    return head.epoch().equals(by.epoch()) && head.commitId() < by.commitId();
  }
}
