// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The truth below the faults: which bodies were really written and which versions really deleted,
 * in order. A test gives each of its writes a body of its own to find it here.
 */
final class AppliedWrites implements ObjectBackend {
  private final ObjectBackend wrapped;
  private final List<String> written = new ArrayList<>();
  private final List<ETag> deleted = new ArrayList<>();

  AppliedWrites(ObjectBackend wrapped) {
    this.wrapped = wrapped;
  }

  synchronized List<String> written() {
    return List.copyOf(written);
  }

  synchronized List<ETag> deleted() {
    return List.copyOf(deleted);
  }

  @Override
  public synchronized WriteResult put(String key, Body body, Condition condition, String attempt) {
    WriteResult result = wrapped.put(key, body, condition, attempt);
    if (result.written()) {
      written.add(text(body));
    }
    return result;
  }

  @Override
  public synchronized DeleteResult delete(String key, Optional<ETag> expected) {
    Optional<ETag> current = wrapped.head(key).map(Head::etag);
    DeleteResult result = wrapped.delete(key, expected);
    if (result.deleted()) {
      current.ifPresent(deleted::add);
    }
    return result;
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
  public Stream<Listing.Entry> list(Listing listing) {
    return wrapped.list(listing);
  }

  @Override
  public Capabilities capabilities() {
    return wrapped.capabilities();
  }

  @Override
  public Clock clock() {
    return wrapped.clock();
  }

  @Override
  public void close() {
    wrapped.close();
  }

  private static String text(Body body) {
    try (InputStream stream = body.open()) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
