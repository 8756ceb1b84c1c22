// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import io.tidemark.objects.ObjectBackend.Capabilities;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.WriteResult.Written;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Bytes under keys with conditional writes; what every room stores its things in.
 *
 * <p>On top of the {@link ObjectBackend guarantees of its backend} it adds:
 *
 * <ol>
 *   <li><b>Keys are checked</b> by {@link ObjectKeys} before anything is sent.
 *   <li><b>Passing faults are retried</b> within the budget of {@link Retry}; then the call ends
 *       with {@link StoreUnavailableException}, and a write that ends so was not applied.
 *   <li><b>A lost answer is resolved, never guessed.</b> Each write carries an attempt id of its
 *       own. When the answer to a conditional write is lost, the object is read back. If it carries
 *       our attempt, the write took place. If the condition still holds, it didn't, and is made
 *       again under the same id; should the first one arrive late after all, it is recognised the
 *       same way. Otherwise the object has changed since, our write may have been applied before
 *       that or not, and the call ends with {@link OutcomeUnknownException}.
 *   <li><b>Listings survive faults:</b> they go on after the last key that was seen.
 * </ol>
 *
 * <p>What no client can prevent: a write that was given up for lost on its way may arrive much
 * later, and takes place if its condition holds again by then. An if-absent one can so bring back
 * an object that was deleted meanwhile. Protocols here don't delete what may still be created.
 *
 * <p>Safe for use by any number of threads.
 */
public final class ObjectStore implements AutoCloseable {

  private final ObservedBackend backend;
  private final Retry retry;

  public ObjectStore(ObjectBackend backend, Retry retry) {
    this.backend = new ObservedBackend(backend);
    this.retry = retry;
  }

  /**
   * Opens a store.
   *
   * @param location {@code file:///dir}, a plain path, {@code s3://bucket/prefix} or {@code
   *     memory:}
   */
  public static ObjectStore open(String location) {
    return open(location, Retry.standard());
  }

  /** Opens a store that tries again as told. */
  public static ObjectStore open(String location, Retry retry) {
    return new ObjectStore(StoreLocations.open(location), retry);
  }

  /**
   * Adds an observer that is told of every request, for metrics.
   *
   * @return a handle that stops the notifications when it is run
   */
  public Runnable observe(RequestObserver observer) {
    return backend.observe(observer);
  }

  /** Reads a whole object; empty when there is none. Meant for objects that fit into memory. */
  public Optional<StoredObject> get(String key) {
    ReadResult<byte[]> result = read(key, Optional.empty(), content -> bytes(key, content));
    return result instanceof ReadResult.Found<byte[]> found
        ? Optional.of(new StoredObject(found.etag(), found.content()))
        : Optional.empty();
  }

  /** Reads an object unless it is still in the version the caller knows. */
  public ReadResult<byte[]> getIfChanged(String key, ETag known) {
    return read(key, Optional.of(known), content -> bytes(key, content));
  }

  /**
   * Opens an object as a stream, which the caller closes; empty when there is none. A fault in the
   * middle of the stream is an {@link IOException}, never a short read.
   */
  public Optional<Download> openStream(String key) {
    return open(key, Optional.empty()) instanceof ReadResult.Found<Download> found
        ? Optional.of(found.content())
        : Optional.empty();
  }

  /** Opens a stream of an object, unless the object still has the version that the caller knows. */
  public ReadResult<Download> openStreamIfChanged(String key, ETag known) {
    return open(key, Optional.of(known));
  }

  private ReadResult<Download> open(String key, Optional<ETag> known) {
    ObjectKeys.check(key);
    ReadResult<Content> result = retrying(() -> backend.get(key, known));
    if (result instanceof ReadResult.NotModified<Content>) {
      return new ReadResult.NotModified<>();
    }
    if (!(result instanceof ReadResult.Found<Content> found)) {
      return new ReadResult.Absent<>();
    }
    Content content = found.content();
    return new ReadResult.Found<>(
        found.etag(), new Download(found.etag(), content.size(), content.stream()));
  }

  /**
   * Copies an object into a file, which is there whole or not at all.
   *
   * @return the version that was copied; empty, and no file, when there is no object
   */
  public Optional<ETag> download(String key, Path file) {
    Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      ReadResult<Path> result =
          read(
              key,
              Optional.empty(),
              content -> {
                checkLength(key, content.size(), copy(content.stream(), part));
                return part;
              });
      if (!(result instanceof ReadResult.Found<Path> found)) {
        return Optional.empty();
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return Optional.of(found.etag());
    } catch (IOException e) {
      throw cannotWrite(file, e);
    } finally {
      part.toFile().delete();
    }
  }

  /** Describes an object without fetching it; empty when there is none. */
  public Optional<ObjectInfo> head(String key) {
    return describe(key)
        .map(head -> new ObjectInfo(key, head.etag(), head.size(), head.lastModified()));
  }

  /**
   * Returns the metadata of an object with the attempt that wrote it, for callers that forward
   * requests.
   */
  public Optional<Head> describe(String key) {
    ObjectKeys.check(key);
    return retrying(() -> backend.head(key));
  }

  /**
   * Writes an object if the condition holds.
   *
   * @throws OutcomeUnknownException when it can't be known whether this very write took place
   */
  public WriteResult put(String key, Body body, Condition condition) {
    return put(key, body, condition, UUID.randomUUID().toString());
  }

  /**
   * Writes an object if the condition holds, for a caller that forwards a write of another client.
   *
   * @param attempt the id by which the client recognises its write; see {@link ObjectBackend#put}
   */
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    ObjectKeys.check(key);
    return new ConditionalRequest<WriteResult>(backend, retry, "the write to", key, condition) {
      @Override
      WriteResult send() {
        return backend.put(key, body, condition, attempt);
      }

      @Override
      boolean applied(WriteResult answer) {
        return answer.written();
      }

      @Override
      Optional<WriteResult> outcomeFrom(Optional<Head> now) {
        return now.filter(head -> head.attempt().equals(Optional.of(attempt)))
            .map(head -> new Written(head.etag()));
      }
    }.run();
  }

  /**
   * Returns an object as a value that changes only by compare-and-set.
   *
   * @param <T> type of the value
   */
  public <T> Register<T> register(String key, Register.Format<T> format) {
    ObjectKeys.check(key);
    return new Register<>(this, retry, key, format);
  }

  /** Deletes an object, if there is one. */
  public void delete(String key) {
    ObjectKeys.check(key);
    Retry.Backoff backoff = retry.start();
    while (true) {
      try {
        backend.delete(key, Optional.empty());
        return;
      } catch (StoreUnavailableException | OutcomeUnknownException e) {
        if (!backoff.pause()) {
          throw e; // deleting again is harmless, so the doubt is the caller's only at the very end
        }
      }
    }
  }

  /**
   * Deletes an object if it is in the expected version. Not every store can: see {@link
   * Capabilities#conditionalDelete()}.
   *
   * @throws OutcomeUnknownException when it can't be known whether it was this call that deleted it
   */
  public DeleteResult deleteIfMatch(String key, ETag expected) {
    ObjectKeys.check(key);
    Condition condition = Condition.ifMatch(expected);
    return new ConditionalRequest<DeleteResult>(backend, retry, "the delete of", key, condition) {
      @Override
      DeleteResult send() {
        return backend.delete(key, Optional.of(expected));
      }

      @Override
      boolean applied(DeleteResult answer) {
        return answer.deleted();
      }

      @Override
      Optional<DeleteResult> outcomeFrom(Optional<Head> now) {
        return Optional.empty(); // who deleted it leaves no trace
      }
    }.run();
  }

  /**
   * Returns every object whose key starts with the prefix, in order and lazily; the caller closes
   * it.
   */
  public Stream<ObjectInfo> list(String prefix) {
    return list(Listing.all(prefix)).map(entry -> ((Listing.Entry.Item) entry).info());
  }

  /**
   * Lists objects in the order of their keys' UTF-8 bytes, lazily; the caller closes the stream.
   */
  public Stream<Listing.Entry> list(Listing listing) {
    ObjectKeys.checkPrefix(listing.prefix());
    ObjectKeys.checkPrefix(listing.startAfter());
    return new ResumingList(backend, listing, retry).stream();
  }

  /** Returns the capabilities of the store. */
  public Capabilities capabilities() {
    return backend.capabilities();
  }

  /** Returns whether the store was made; one that wasn't is made by the first write. */
  public boolean exists() {
    return backend.exists();
  }

  /** Returns the clock by which the times of this store are to be judged. */
  public Clock clock() {
    return backend.clock();
  }

  @Override
  public void close() {
    backend.close();
  }

  @Override
  public String toString() {
    return capabilities().location();
  }

  private interface ContentReader<T> {
    T take(Content content) throws IOException;
  }

  private <T> ReadResult<T> read(String key, Optional<ETag> known, ContentReader<T> contentReader) {
    ObjectKeys.check(key);
    return retrying(
        () -> {
          ReadResult<Content> result = backend.get(key, known);
          if (result instanceof ReadResult.NotModified<Content>) {
            return new ReadResult.NotModified<T>();
          }
          if (!(result instanceof ReadResult.Found<Content> found)) {
            return new ReadResult.Absent<T>();
          }
          try (Content content = found.content()) {
            return new ReadResult.Found<>(found.etag(), contentReader.take(content));
          } catch (IOException e) {
            throw new StoreUnavailableException(
                "reading " + key + " in " + this + " broke off: " + e.getMessage(), e);
          }
        });
  }

  private byte[] bytes(String key, Content content) throws IOException {
    if (content.size() > Integer.MAX_VALUE - 8) {
      throw new StoreFailureException(
          key + " is " + content.size() + " bytes long; use openStream() or download()");
    }
    byte[] bytes = content.stream().readNBytes((int) content.size());
    checkLength(key, content.size(), bytes.length);
    return bytes;
  }

  /** Copies into a file; only an error of the stream is an {@link IOException}, to be retried. */
  private static long copy(InputStream from, Path file) throws IOException {
    long copied = 0;
    try (OutputStream to = create(file)) {
      byte[] buffer = new byte[1 << 16];
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        try {
          to.write(buffer, 0, read);
        } catch (IOException e) {
          throw cannotWrite(file, e);
        }
        copied += read;
      }
    }
    return copied;
  }

  private static OutputStream create(Path file) {
    try {
      return Files.newOutputStream(file);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  private static UncheckedIOException cannotWrite(Path file, IOException e) {
    return new UncheckedIOException("can't write " + file + " (" + e.getMessage() + ")", e);
  }

  private static void checkLength(String key, long expected, long found) throws IOException {
    if (found != expected) {
      throw new IOException(key + " ended after " + found + " of " + expected + " bytes");
    }
  }

  private <T> T retrying(Supplier<T> request) {
    Retry.Backoff backoff = retry.start();
    while (true) {
      try {
        return request.get();
      } catch (StoreUnavailableException e) {
        if (!backoff.pause()) {
          throw e;
        }
      }
    }
  }

  /**
   * An object being read.
   *
   * @param etag its version
   * @param size its length in bytes
   * @param stream yields them
   */
  public record Download(ETag etag, long size, InputStream stream) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
