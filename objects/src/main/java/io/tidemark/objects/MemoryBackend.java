// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Backend that keeps objects in memory, for tests and for data that needn't last. */
public final class MemoryBackend implements ObjectBackend {

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Version(ETag etag, byte[] bytes, Instant lastModified, String attempt) {}

  private final NavigableMap<String, Version> objects =
      new ConcurrentSkipListMap<>(ObjectKeys.ORDER);
  private final AtomicLong versions = new AtomicLong();
  private final Clock clock;

  public MemoryBackend() {
    this(Clock.systemUTC());
  }

  public MemoryBackend(Clock clock) {
    this.clock = clock;
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    Version version = objects.get(key);
    if (version == null) {
      return new ReadResult.Absent<>();
    }
    if (known.equals(Optional.of(version.etag()))) {
      return new ReadResult.NotModified<>();
    }
    InputStream stream = new ByteArrayInputStream(version.bytes());
    return new ReadResult.Found<>(version.etag(), new Content(version.bytes().length, stream));
  }

  @Override
  public Optional<Head> head(String key) {
    return Optional.ofNullable(objects.get(key))
        .map(v -> new Head(v.etag(), v.bytes().length, v.lastModified(), Optional.of(v.attempt())));
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    byte[] bytes = read(key, body);
    synchronized (objects) {
      Optional<ETag> current = currentVersion(key);
      if (!condition.holds(current)) {
        return new WriteResult.PreconditionFailed(current);
      }
      ETag etag = new ETag(Long.toHexString(versions.incrementAndGet()));
      objects.put(key, new Version(etag, bytes, clock.instant(), attempt));
      return new WriteResult.Written(etag);
    }
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    synchronized (objects) {
      Optional<ETag> current = currentVersion(key);
      if (expected.isPresent() && !expected.equals(current)) {
        return new WriteResult.PreconditionFailed(current);
      }
      objects.remove(key);
      return DeleteResult.Deleted.DELETED;
    }
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    return Stream.generate(new Walk(objects, listing)::next)
        .takeWhile(Optional::isPresent)
        .map(Optional::orElseThrow);
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities("memory:", true);
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public void close() {
    // The caller may still hold a reference; the garbage collector frees the objects after it.
  }

  private Optional<ETag> currentVersion(String key) {
    return Optional.ofNullable(objects.get(key)).map(Version::etag);
  }

  private static byte[] read(String key, Body body) {
    try (InputStream stream = body.open()) {
      byte[] bytes = stream.readAllBytes();
      if (bytes.length != body.length()) {
        throw new IOException(bytes.length + " bytes came, " + body.length() + " were announced");
      }
      return bytes;
    } catch (IOException e) {
      throw new StoreFailureException(
          "the bytes for " + key + " can't be read: " + e.getMessage() + "; nothing was written",
          e);
    }
  }

  /** Iterator through the map, which skips the rest of a group once it has been listed. */
  private static final class Walk {
    private final NavigableMap<String, Version> objects;
    private Listing rest;

    Walk(NavigableMap<String, Version> objects, Listing listing) {
      this.objects = objects;
      this.rest = listing;
    }

    Optional<Listing.Entry> next() {
      boolean fromStart = ObjectKeys.ORDER.compare(rest.startAfter(), rest.prefix()) < 0;
      String from = fromStart ? rest.prefix() : rest.startAfter();
      Iterator<Map.Entry<String, Version>> candidates =
          objects.tailMap(from, fromStart).entrySet().iterator();
      while (candidates.hasNext()) {
        Map.Entry<String, Version> candidate = candidates.next();
        String key = candidate.getKey();
        if (!key.startsWith(rest.prefix())) {
          return Optional.empty();
        }
        Listing.Entry entry =
            rest.groupOf(key)
                .<Listing.Entry>map(Listing.Entry.Group::new)
                .orElseGet(() -> new Listing.Entry.Item(info(key, candidate.getValue())));
        if (rest.isAhead(entry.name())) {
          rest = rest.after(entry.name());
          return Optional.of(entry);
        }
      }
      return Optional.empty();
    }

    private static ObjectInfo info(String key, Version v) {
      return new ObjectInfo(key, v.etag(), v.bytes().length, v.lastModified());
    }
  }

  /** Provider that opens {@code memory:}, a new store each time. */
  public static final class Provider implements BackendProvider {
    @Override
    public String scheme() {
      return "memory";
    }

    @Override
    public ObjectBackend open(URI location) {
      if (!location.getSchemeSpecificPart().equals("/")) {
        throw new InvalidLocationException(
            "\"" + location + "\" names something in memory, which has no names; write memory:");
      }
      return new MemoryBackend();
    }
  }
}
