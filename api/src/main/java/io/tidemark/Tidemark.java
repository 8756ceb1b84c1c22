// SPDX-License-Identifier: Apache-2.0
package io.tidemark;

import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.EventService;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.names.NameService;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectStore;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Entry point to an open Tidemark: the services of a directory, a bucket, a table or a server. The
 * location decides which implementation answers; the interfaces are equal, so that a program moves
 * from a directory to a server by another location.
 *
 * <p>Instances may be used by any number of threads. Closing one closes all that it has opened.
 */
public interface Tidemark extends AutoCloseable {

  /**
   * Opens a location: a path, {@code file:///dir}, {@code s3://bucket/prefix}, {@code
   * dynamodb://table}, {@code memory:} or a connection document with the module {@code embed} on
   * the class path, {@code http://host:port} with the module {@code client}.
   *
   * @throws InvalidLocationException if no module on the class path opens such a location
   */
  static Tidemark open(String location) {
    return open(OpenOptions.at(location));
  }

  /** Opens a location with options. */
  static Tidemark open(OpenOptions options) {
    return ServiceLoader.load(TidemarkProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.opens(options.location()))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidLocationException(
                    "no module on the class path opens this location; a server's URL needs"
                        + " tidemark-client, every other location needs tidemark-embed"))
        .open(options);
  }

  /** Returns the location as a person would write it, without secrets. */
  String location();

  /** Returns the nameservice. */
  NameService names();

  /** Returns the object store beside the names; empty if they are in none. */
  Optional<ObjectStore> objects();

  /** Returns the ledgers as a whole: lists and makes them. */
  LedgerCatalog ledgers();

  /** Returns a ledger, by its name such as {@code crm}, or a branch such as {@code crm:dev}. */
  LedgerService ledger(String address);

  /** Returns the event bus. */
  EventBusService events();

  /** Returns the events of a namespace. */
  default EventService events(String namespace) {
    return events().namespace(namespace);
  }

  /** Returns the features. */
  FeatureService features();

  /** Returns a collection of features. */
  default CollectionService features(String collection) {
    return features().collection(collection);
  }

  /** Returns the remotes: other stores that ledgers are pulled from and pushed to. */
  RemoteService remotes();

  @Override
  void close();
}
