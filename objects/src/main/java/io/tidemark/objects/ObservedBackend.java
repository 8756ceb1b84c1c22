// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import io.tidemark.objects.RequestObserver.Kind;
import io.tidemark.objects.RequestObserver.Result;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A backend that says what it is asked, and how that ended. */
final class ObservedBackend implements ObjectBackend {

  private final ObjectBackend backend;
  private final List<RequestObserver> observers = new CopyOnWriteArrayList<>();

  ObservedBackend(ObjectBackend backend) {
    this.backend = backend;
  }

  Runnable observe(RequestObserver observer) {
    observers.add(observer);
    return () -> observers.remove(observer);
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    return told(Kind.GET, () -> backend.get(key, known), ObservedBackend::result);
  }

  private static Result result(ReadResult<Content> answer) {
    if (answer instanceof ReadResult.Found<Content>) {
      return Result.OK;
    }
    return answer instanceof ReadResult.NotModified<Content> ? Result.UNCHANGED : Result.ABSENT;
  }

  @Override
  public Optional<Head> head(String key) {
    return told(
        Kind.HEAD, () -> backend.head(key), head -> head.isPresent() ? Result.OK : Result.ABSENT);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    return told(
        Kind.PUT,
        () -> backend.put(key, body, condition, attempt),
        answer -> answer.written() ? Result.OK : Result.LOST);
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return told(
        Kind.DELETE,
        () -> backend.delete(key, expected),
        answer -> answer.deleted() ? Result.OK : Result.LOST);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    return told(Kind.LIST, () -> backend.list(listing), entries -> Result.OK);
  }

  private <T> T told(Kind kind, Supplier<T> request, Function<T, Result> result) {
    if (observers.isEmpty()) {
      return request.get();
    }
    long begun = System.nanoTime();
    Result ended = Result.FAILED;
    try {
      T answer = request.get();
      ended = result.apply(answer);
      return answer;
    } catch (StoreUnavailableException | StoreGoneException e) {
      ended = Result.UNAVAILABLE;
      throw e;
    } catch (OutcomeUnknownException e) {
      ended = Result.UNKNOWN;
      throw e;
    } finally {
      long nanos = System.nanoTime() - begun;
      for (RequestObserver observer : observers) {
        observer.onRequest(kind, ended, nanos);
      }
    }
  }

  @Override
  public Capabilities capabilities() {
    return backend.capabilities();
  }

  @Override
  public boolean exists() {
    return backend.exists();
  }

  @Override
  public Clock clock() {
    return backend.clock();
  }

  @Override
  public void close() {
    backend.close();
  }
}
