// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.WriteResult;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.Stream;

/** Hands every request on to another backend; a decorator overrides what it is about. */
public abstract class ForwardingBackend implements ObjectBackend {
  private final ObjectBackend wrapped;

  protected ForwardingBackend(ObjectBackend wrapped) {
    this.wrapped = wrapped;
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    return wrapped.get(key, known);
  }

  @Override
  public Optional<Head> head(String key) {
    return wrapped.head(key);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    return wrapped.put(key, body, condition, attempt);
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return wrapped.delete(key, expected);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    return wrapped.list(listing);
  }

  @Override
  public Capabilities capabilities() {
    return wrapped.capabilities();
  }

  @Override
  public boolean exists() {
    return wrapped.exists();
  }

  @Override
  public Clock clock() {
    return wrapped.clock();
  }

  @Override
  public void close() {
    wrapped.close();
  }
}
