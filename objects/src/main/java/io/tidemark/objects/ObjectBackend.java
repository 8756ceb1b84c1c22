// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Interface that a storage technology implements: one request a call, answered truthfully. {@link
 * ObjectStore} builds on it what callers need, so a backend neither validates keys, nor retries,
 * nor resolves lost answers.
 *
 * <p>Guarantees of an implementation, each with a test in the contract suite:
 *
 * <ol>
 *   <li><b>Whole objects.</b> A reader gets the bytes of exactly one write, never a mixture, never
 *       a part, and the ETag that belongs to them.
 *   <li><b>Read your writes.</b> Once a write or delete has returned, every later read and listing,
 *       in any process, sees it or something newer.
 *   <li><b>Conditions are atomic.</b> Of any number of writes conditional on the same version, or
 *       on absence, at most one is applied; threads, processes and machines alike. Where {@link
 *       Capabilities#conditionalDelete()} says so, that includes deletes.
 *   <li><b>A lost answer is said to be lost.</b> When a write or delete may have been applied but
 *       the answer isn't known, it ends with {@link OutcomeUnknownException}. It ends with {@link
 *       StoreUnavailableException} or any other exception only when it was certainly not applied.
 *   <li><b>Attempts can be recognised.</b> A backend whose answers can get lost keeps the attempt
 *       that {@link #put} was given with the object, and {@link #head} returns it. A backend that
 *       can't lose an answer may ignore it.
 *   <li><b>Order.</b> Listings come in the order of the keys' UTF-8 bytes, each key once. A key
 *       that exists from the start to the end of a listing is in it; one that is created or deleted
 *       meanwhile may or may not be.
 *   <li><b>Nothing half-written.</b> A write that fails, or whose process is killed, leaves the old
 *       object, or its absence, as it was.
 * </ol>
 *
 * <p>A store that is gone isn't an empty one. A backend whose store can vanish, as a directory does
 * with its disk, remembers that it was there; every call then ends with {@link StoreGoneException}
 * until it is back. If another store has taken its place under a writer, calls end so until the
 * store is opened anew.
 *
 * <p>Implementations may be used by any number of threads at once. A thread that is interrupted
 * during a call may see it fail, but the guarantees hold.
 */
public interface ObjectBackend extends AutoCloseable {

  /**
   * Opens an object for reading.
   *
   * @param known when present, the version the reader has already; if it is still the current one
   *     the answer is {@link ReadResult.NotModified}
   * @return the content as a stream, which the caller closes
   */
  ReadResult<Content> get(String key, Optional<ETag> known);

  /** Describes an object without fetching it; empty when there is none. */
  Optional<Head> head(String key);

  /**
   * Writes an object if the condition holds.
   *
   * @param attempt unique to this attempt at this write; an attempt that is made again keeps it
   */
  WriteResult put(String key, Body body, Condition condition, String attempt);

  /**
   * Deletes an object.
   *
   * @param expected when present, only this version is deleted; needs {@link
   *     Capabilities#conditionalDelete()}. When empty, deleting what isn't there succeeds
   */
  DeleteResult delete(String key, Optional<ETag> expected);

  /** Lists objects lazily; the caller closes the stream. */
  Stream<Listing.Entry> list(Listing listing);

  /** Returns the capabilities of this backend. */
  Capabilities capabilities();

  /**
   * Returns whether the store was made. One that wasn't, such as a directory that is missing or
   * empty, reads as empty until the first write makes it.
   */
  default boolean exists() {
    return true;
  }

  /** Returns the clock by which the times of this store, and leases on it, are to be judged. */
  default Clock clock() {
    return Clock.systemUTC();
  }

  /** Releases connections and files; the stored objects stay. */
  @Override
  void close();

  /**
   * The bytes of one version of an object.
   *
   * @param size how many there are
   * @param stream yields them
   */
  record Content(long size, InputStream stream) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  /**
   * Metadata of an object, without its bytes.
   *
   * @param etag its version
   * @param size its length in bytes
   * @param lastModified when that version was written
   * @param attempt the attempt that wrote it, where the backend keeps it
   */
  record Head(ETag etag, long size, Instant lastModified, Optional<String> attempt) {}

  /**
   * Capabilities in which stores differ.
   *
   * @param location the location, as a user would write it; never with credentials
   * @param conditionalDelete whether {@link #delete} can be made to depend on a version. No
   *     protocol may need it to be safe: several S3 servers ignore it
   */
  record Capabilities(String location, boolean conditionalDelete) {}
}
