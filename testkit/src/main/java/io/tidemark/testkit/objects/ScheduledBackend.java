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
import java.util.Optional;
import java.util.stream.Stream;

/** Passes the {@linkplain DeterministicScheduler turn} before each request to another backend. */
public final class ScheduledBackend extends ForwardingBackend {
  private final DeterministicScheduler deterministicScheduler;

  public ScheduledBackend(ObjectBackend wrapped, DeterministicScheduler deterministicScheduler) {
    super(wrapped);
    this.deterministicScheduler = deterministicScheduler;
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    deterministicScheduler.yieldTurn();
    return super.get(key, known);
  }

  @Override
  public Optional<Head> head(String key) {
    deterministicScheduler.yieldTurn();
    return super.head(key);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    deterministicScheduler.yieldTurn();
    return super.put(key, body, condition, attempt);
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    deterministicScheduler.yieldTurn();
    return super.delete(key, expected);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    deterministicScheduler.yieldTurn();
    return super.list(listing);
  }
}
