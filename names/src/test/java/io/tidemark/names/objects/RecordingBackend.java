// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A store in memory that writes down what is asked of it, and can be held up before a request. */
public final class RecordingBackend implements ObjectBackend {

  private final ObjectBackend inner = new MemoryBackend();
  private final boolean conditionalDelete;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Consumer<String> before = request -> {};

  public RecordingBackend() {
    this(true);
  }

  public RecordingBackend(boolean conditionalDelete) {
    this.conditionalDelete = conditionalDelete;
  }

  /** What was asked since the last time. */
  public List<String> take() {
    List<String> taken = List.copyOf(requests);
    requests.clear();
    return taken;
  }

  /** Does something before the first request that is as given, such as {@code PUT some/key}. */
  public void before(String request, Runnable action) {
    before =
        asked -> {
          if (asked.equals(request)) {
            before = other -> {};
            action.run();
          }
        };
  }

  private void ask(String request) {
    before.accept(request);
    requests.add(request);
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    ask("GET " + key);
    return inner.get(key, known);
  }

  @Override
  public Optional<Head> head(String key) {
    ask("HEAD " + key);
    return inner.head(key);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    ask("PUT " + key);
    return inner.put(key, body, condition, attempt);
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    ask("DELETE " + key);
    return inner.delete(key, expected);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    ask("LIST " + listing.prefix());
    return inner.list(listing);
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities("memory:", conditionalDelete);
  }

  @Override
  public void close() {
    inner.close();
  }
}
