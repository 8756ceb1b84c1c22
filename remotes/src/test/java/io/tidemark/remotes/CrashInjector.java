// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Counts the requests of one process to all stores, and lets it die at one of them. */
final class CrashInjector {

  enum CrashPoint {
    DIES_BEFORE,
    /** The request is carried out, and nobody gets its answer. */
    DIES_AFTER
  }

  private final int last;
  private final CrashPoint crashPoint;
  private int requests;

  /**
   * Dies.
   *
   * @param last the request at which, from 1
   */
  CrashInjector(int last, CrashPoint crashPoint) {
    this.last = last;
    this.crashPoint = crashPoint;
  }

  /** Lives for ever, and counts. */
  CrashInjector() {
    this(Integer.MAX_VALUE, CrashPoint.DIES_BEFORE);
  }

  synchronized boolean isMet() {
    return requests >= last;
  }

  synchronized int requests() {
    return requests;
  }

  ObjectBackend over(ObjectBackend backend) {
    return new CrashingBackend(backend);
  }

  private synchronized int count() {
    requests++;
    return requests;
  }

  private <T> T pass(Supplier<T> send) {
    int request = count();
    if (request == last && crashPoint == CrashPoint.DIES_AFTER) {
      T unused = send.get();
    }
    if (request >= last) {
      throw new StoreFailureException("injected: the process is dead");
    }
    return send.get();
  }

  private final class CrashingBackend extends ForwardingBackend {
    CrashingBackend(ObjectBackend wrapped) {
      super(wrapped);
    }

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      return pass(() -> super.get(key, known));
    }

    @Override
    public Optional<Head> head(String key) {
      return pass(() -> super.head(key));
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      return pass(() -> super.put(key, body, condition, attempt));
    }

    @Override
    public DeleteResult delete(String key, Optional<ETag> expected) {
      return pass(() -> super.delete(key, expected));
    }

    @Override
    public Stream<Listing.Entry> list(Listing listing) {
      return pass(() -> super.list(listing));
    }
  }
}
