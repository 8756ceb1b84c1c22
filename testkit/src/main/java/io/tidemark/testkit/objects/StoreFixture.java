// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The store one test of a contract suite works with; closes what it opened. */
final class StoreFixture implements AutoCloseable {
  private final Supplier<ObjectBackend> opener;
  private final ContractScale scale;
  private final StoreLimits limits;
  private final List<ObjectBackend> opened = new ArrayList<>();
  private final ObjectBackend backend;
  private final ObjectStore store;

  StoreFixture(Supplier<ObjectBackend> opener, ContractScale scale, StoreLimits limits) {
    this.opener = opener;
    this.scale = scale;
    this.limits = limits;
    this.backend = opener.get();
    this.store = new ObjectStore(backend, Retry.standard());
    opened.add(backend);
  }

  ObjectBackend backend() {
    return backend;
  }

  ObjectStore store() {
    return store;
  }

  /** Another instance of the same store, which shares nothing with it but the place. */
  ObjectStore another() {
    ObjectBackend other = opener.get();
    opened.add(other);
    return new ObjectStore(other, Retry.standard());
  }

  ContractScale scale() {
    return scale;
  }

  StoreLimits limits() {
    return limits;
  }

  ETag write(String key, String text) {
    return write(key, Body.of(text));
  }

  ETag write(String key, Body body) {
    return ((Written) store.put(key, body, Condition.none())).etag();
  }

  /** The object as text, or {@code "(absent)"}. */
  String text(String key) {
    return store.get(key).map(object -> object.text()).orElse("(absent)");
  }

  List<String> keys(String prefix) {
    return names(Listing.all(prefix));
  }

  List<String> names(Listing listing) {
    try (Stream<Listing.Entry> entries = store.list(listing)) {
      return entries.map(Listing.Entry::name).toList();
    }
  }

  @Override
  public void close() {
    opened.forEach(ObjectBackend::close);
  }
}
