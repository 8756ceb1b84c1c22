// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameLocations;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.Durability;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A node of type {@code StorageNode}: where objects are kept. */
public sealed interface StorageNode {

  /**
   * Returns the identifier that other programs put into the addresses of objects that they keep
   * here.
   */
  Optional<String> addressIdentifier();

  /** Returns the place, as {@link ObjectStore#open} takes it. */
  String location();

  /** Opens the nameservice that is kept here. */
  NameBackend openNames();

  /** A node that names no place. */
  record InMemory(Optional<String> addressIdentifier) implements StorageNode {
    @Override
    public String location() {
      return "memory:";
    }

    @Override
    public NameBackend openNames() {
      return NameLocations.open(location());
    }
  }

  /**
   * A directory.
   *
   * @param path where it is; as in other programs, a relative path starts from where the process
   *     was started, not from where the document is
   * @param durability failures that a write survives
   */
  record Directory(Path path, Durability durability, Optional<String> addressIdentifier)
      implements StorageNode {
    @Override
    public String location() {
      return LocationBuilder.file(path) + "?durability=" + word(durability);
    }

    @Override
    public NameBackend openNames() {
      return onObjects(ObjectStore.open(location()));
    }

    static String word(Durability durability) {
      return durability.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A bucket, or a part of one.
   *
   * @param prefix prefix of all keys; empty for the whole bucket
   * @param endpoint a server other than the usual one
   * @param requests how requests are made
   */
  record S3(
      String bucket,
      String prefix,
      Optional<URI> endpoint,
      Requests requests,
      Optional<String> addressIdentifier)
      implements StorageNode {
    @Override
    public String location() {
      LocationBuilder.Query query = new LocationBuilder.Query();
      endpoint.flatMap(LocationBuilder::regionOf).ifPresent(region -> query.add("region", region));
      endpoint.ifPresent(server -> query.add("endpoint", server.toString()));
      requests
          .timeout()
          .ifPresent(longest -> query.add("request-timeout", longest.toMillis() + "ms"));
      requests.atOnce().ifPresent(most -> query.add("max-requests", Integer.toString(most)));
      return LocationBuilder.s3(bucket, prefix) + query;
    }

    @Override
    public NameBackend openNames() {
      return onObjects(ObjectStore.open(location(), requests.retry()));
    }
  }

  /**
   * Settings of requests to S3. What the document leaves out is as it is without one.
   *
   * @param timeout how long one may take
   * @param retries how often one is made again
   * @param firstPause how long to wait before that
   * @param longestPause how far that wait may grow
   * @param atOnce how many may be under way
   */
  record Requests(
      Optional<Duration> timeout,
      OptionalInt retries,
      Optional<Duration> firstPause,
      Optional<Duration> longestPause,
      OptionalInt atOnce) {

    /** Returns the retry policy. */
    public Retry retry() {
      return Retries.of(this);
    }
  }

  private static NameBackend onObjects(ObjectStore store) {
    return new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC());
  }
}
