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
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Counts what is asked of another backend.
 *
 * <p>A call is one request, whatever the backend below makes of it: a listing counts once however
 * many pages it fetches. A request is under way until its call returns; reading a body or the rest
 * of a listing afterwards is not counted as waiting.
 */
public final class CountingBackend extends ForwardingBackend {

  private final Map<Operation, Long> byOperation = new EnumMap<>(Operation.class);
  private long roundTrips;
  private long bytesWritten;
  private long bytesRead;
  private int underWay;

  public CountingBackend(ObjectBackend wrapped) {
    super(wrapped);
  }

  /** What was asked since the beginning, or since the last {@link #reset()}. */
  public synchronized RequestCounts requests() {
    return new RequestCounts(byOperation, roundTrips, bytesWritten, bytesRead);
  }

  /** Starts from zero; returns what was counted until now. */
  public synchronized RequestCounts reset() {
    RequestCounts counted = requests();
    byOperation.clear();
    roundTrips = 0;
    bytesWritten = 0;
    bytesRead = 0;
    return counted;
  }

  /** What one piece of work asks. Meant for a backend that nobody else uses meanwhile. */
  public RequestCounts during(Runnable work) {
    reset();
    work.run();
    return requests();
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    ReadResult<Content> result = counted(Operation.GET, 0, () -> super.get(key, known));
    if (result instanceof ReadResult.Found<Content> found) {
      countRead(found.content().size());
    }
    return result;
  }

  @Override
  public Optional<Head> head(String key) {
    return counted(Operation.HEAD, 0, () -> super.head(key));
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    return counted(Operation.PUT, body.length(), () -> super.put(key, body, condition, attempt));
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return counted(Operation.DELETE, 0, () -> super.delete(key, expected));
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    return counted(Operation.LIST, 0, () -> super.list(listing));
  }

  private <T> T counted(Operation operation, long sent, Supplier<T> request) {
    begin(operation, sent);
    try {
      return request.get();
    } finally {
      end();
    }
  }

  private synchronized void begin(Operation operation, long sent) {
    byOperation.merge(operation, 1L, Long::sum);
    bytesWritten += sent;
    if (underWay == 0) {
      roundTrips++;
    }
    underWay++;
  }

  private synchronized void end() {
    underWay--;
  }

  private synchronized void countRead(long bytes) {
    bytesRead += bytes;
  }
}
