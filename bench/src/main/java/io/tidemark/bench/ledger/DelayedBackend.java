// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** A store that is a while away: every request takes that much longer, however many there are. */
final class DelayedBackend extends ForwardingBackend {

  private final Duration roundTrip;

  DelayedBackend(ObjectBackend wrapped, Duration roundTrip) {
    super(wrapped);
    this.roundTrip = roundTrip;
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    delay();
    return super.get(key, known);
  }

  @Override
  public Optional<Head> head(String key) {
    delay();
    return super.head(key);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    delay();
    return super.put(key, body, condition, attempt);
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    delay();
    return super.delete(key, expected);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    delay();
    return super.list(listing);
  }

  private void delay() {
    if (!roundTrip.isZero()) {
      MonotonicTime.system().pause(roundTrip);
    }
  }
}
