// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A listing that starts again after the last name it has seen when the backend fails for a while.
 */
final class ResumingList implements Iterator<Listing.Entry> {
  private final ObjectBackend backend;
  private final Retry retry;
  private Listing rest;
  private Optional<Source> source = Optional.empty();
  private Optional<Listing.Entry> next = Optional.empty();
  private boolean ended;

  /** A backend's stream together with the one iterator it allows. */
  private record Source(Stream<Listing.Entry> stream, Iterator<Listing.Entry> entries) {}

  ResumingList(ObjectBackend backend, Listing listing, Retry retry) {
    this.backend = backend;
    this.rest = listing;
    this.retry = retry;
  }

  Stream<Listing.Entry> stream() {
    int traits = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false)
        .onClose(this::closeSource);
  }

  @Override
  public boolean hasNext() {
    if (next.isEmpty() && !ended) {
      next = fetch();
      ended = next.isEmpty();
    }
    return next.isPresent();
  }

  @Override
  public Listing.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Listing.Entry entry = next.orElseThrow();
    next = Optional.empty();
    rest = rest.after(entry.name());
    return entry;
  }

  private Optional<Listing.Entry> fetch() {
    Retry.Backoff backoff = retry.start();
    while (true) {
      try {
        if (source.isEmpty()) {
          Stream<Listing.Entry> stream = backend.list(rest);
          source = Optional.of(new Source(stream, stream.iterator()));
        }
        Iterator<Listing.Entry> entries = source.orElseThrow().entries();
        return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
      } catch (StoreUnavailableException e) {
        closeSource();
        if (!backoff.pause()) {
          throw e;
        }
      }
    }
  }

  private void closeSource() {
    source.ifPresent(open -> open.stream().close());
    source = Optional.empty();
  }
}
