// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.Optional;
import java.util.stream.Stream;

/** A store as a process sees it that dies right before one of its writes. */
final class CrashingBackend extends ForwardingBackend {

  private int writesLeft;

  CrashingBackend(ObjectBackend wrapped, int writes) {
    super(wrapped);
    this.writesLeft = writes;
  }

  synchronized boolean isDead() {
    return writesLeft < 0;
  }

  private synchronized void breathe(int writes) {
    writesLeft = isDead() ? writesLeft : writesLeft - writes;
    if (isDead()) {
      throw new StoreFailureException("injected: the process is dead");
    }
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    breathe(1);
    return super.put(key, body, condition, attempt);
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    breathe(0);
    return super.get(key, known);
  }

  @Override
  public Optional<Head> head(String key) {
    breathe(0);
    return super.head(key);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    breathe(0);
    return super.list(listing);
  }
}
