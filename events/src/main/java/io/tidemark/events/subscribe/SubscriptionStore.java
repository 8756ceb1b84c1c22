// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.subscribe;

import io.tidemark.events.model.NameValidator;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Register;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Store of webhooks and schedules: one document for each namespace, changed by compare-and-set. */
public final class SubscriptionStore {

  private static final String FOLDER = "subscriptions/";
  private static final String JSON = ".json";

  private final ObjectStore store;
  private final String prefix;

  /**
   * Opens the subscriptions of a bus, without any request.
   *
   * @param prefix of the keys of the bus
   */
  public SubscriptionStore(ObjectStore store, String prefix) {
    this.store = store;
    this.prefix = prefix;
  }

  private Register<Subscriptions> register(String namespace) {
    NameValidator.namespace(namespace);
    return store.register(
        prefix + FOLDER + namespace + JSON,
        Register.Format.of(
            object -> Optional.of(Subscriptions.read(object.bytes())), Subscriptions::json));
  }

  /** Returns the subscriptions of a namespace. */
  public Subscriptions read(String namespace) {
    return register(namespace).read().value().orElse(Subscriptions.NONE);
  }

  /** Changes the subscriptions of a namespace, and returns the new ones. */
  public Subscriptions update(String namespace, UnaryOperator<Subscriptions> change) {
    return register(namespace)
        .update(state -> Optional.of(change.apply(state.value().orElse(Subscriptions.NONE))))
        .value()
        .orElse(Subscriptions.NONE);
  }

  /** Returns the version of each namespace's document; one request. */
  public Map<String, ETag> versions() {
    Map<String, ETag> versions = new TreeMap<>();
    try (Stream<ObjectInfo> documents = store.list(prefix + FOLDER)) {
      documents
          .filter(info -> info.key().endsWith(JSON))
          .forEach(info -> versions.put(name(info.key()), info.etag()));
    }
    versions.keySet().removeIf(name -> !NameValidator.isName(name));
    return versions;
  }

  private String name(String key) {
    return key.substring(prefix.length() + FOLDER.length(), key.length() - JSON.length());
  }
}
