// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.embed.events.EmbeddedEvents;
import io.tidemark.embed.features.EmbeddedFeatures;
import io.tidemark.embed.ledger.EmbeddedLedgers;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.embed.remotes.EmbeddedRemotes;
import io.tidemark.events.model.BusOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.LocationPolicy;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.names.NameLocations;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectStore;
import io.tidemark.remotes.TransferOptions;
import java.time.Duration;
import java.util.Optional;

/** Tidemark in this process, on the stores that its options name. */
public final class EmbeddedTidemark implements Tidemark {

  private static final int OPEN_LEDGERS = 64;

  private final NameService names;
  private final Optional<ObjectStore> ownObjects;
  private final LedgerCache cache;

  private final OpenOptions options;
  private Optional<EmbeddedEvents> events = Optional.empty(); // guarded by this
  private Optional<EmbeddedFeatures> features = Optional.empty(); // guarded by this

  private EmbeddedTidemark(
      NameService names,
      Optional<ObjectStore> ownObjects,
      LedgerOptions ledgers,
      OpenOptions options) {
    this.names = names;
    this.ownObjects = ownObjects;
    this.cache = new LedgerCache(names, LocationPolicy.allowAll(), ledgers, OPEN_LEDGERS);
    this.options = options;
  }

  /** Opens the stores of the options. */
  public static EmbeddedTidemark open(OpenOptions options) {
    return open(options, LedgerOptions.standard());
  }

  /**
   * Opens the stores of the options.
   *
   * @param ledgers how ledgers are opened, but for what the options say of it
   */
  public static EmbeddedTidemark open(OpenOptions options, LedgerOptions ledgers) {
    Optional<ObjectStore> objects = options.objects().map(ObjectStore::open);
    try {
      NameOptions beside =
          objects.map(NameOptions.standard()::withLedgerStore).orElseGet(NameOptions::standard);
      return new EmbeddedTidemark(
          new NameService(NameLocations.open(options.location()), beside),
          objects,
          ledgers(options, ledgers),
          options);
    } catch (RuntimeException e) {
      objects.ifPresent(ObjectStore::close);
      throw e;
    }
  }

  /** Starts a process for a statement in SQL that will come soon. */
  public void prepareSql(SqlLimits limits) {
    cache.prepareSql(limits);
  }

  private static LedgerOptions ledgers(OpenOptions options, LedgerOptions given) {
    LedgerOptions named = given.withWriter(given.writer().withRuntimeId(options.writer()));
    return options
        .cache()
        .map(cache -> named.withQueries(named.queries().withCache(cache)))
        .orElse(named);
  }

  @Override
  public String location() {
    return names.location();
  }

  @Override
  public NameService names() {
    return names;
  }

  @Override
  public Optional<ObjectStore> objects() {
    return names.objects();
  }

  @Override
  public LedgerCatalog ledgers() {
    return new EmbeddedLedgers(cache, SqlLimits.standard());
  }

  @Override
  public LedgerService ledger(String address) {
    return new EmbeddedLedgers(cache, SqlLimits.standard()).ledger(address);
  }

  @Override
  public synchronized EventBusService events() {
    if (events.isEmpty()) {
      BusOptions bus = BusOptions.standard().withMaxSkew(options.maxSkew());
      events = Optional.of(EmbeddedEvents.open(eventStore(), bus));
    }
    return events.get();
  }

  @Override
  public synchronized FeatureService features() {
    if (features.isEmpty()) {
      FeaturesOptions reads = FeaturesOptions.defaults().withReplicas(options.replicas());
      features = Optional.of(EmbeddedFeatures.open(database(), options.storage(), reads));
    }
    return features.get();
  }

  private String database() {
    return options
        .jdbc()
        .orElseThrow(
            () ->
                new InvalidLocationException(
                    "features are in PostgreSQL, and no database is given; open it with a JDBC URL,"
                        + " such as jdbc:postgresql://host/db?user=me"));
  }

  @Override
  public RemoteService remotes() {
    return new EmbeddedRemotes(names, TransferOptions.standard().withLedgers(cache.options()));
  }

  private ObjectStore eventStore() {
    return objects()
        .orElseThrow(
            () ->
                new InvalidLocationException(
                    "the names in "
                        + names.location()
                        + " aren't in an object store, so there are no events beside them; say"
                        + " where they are with --objects, such as s3://bucket/prefix"));
  }

  /**
   * Stops writing, for a process that is told to end: gives locks back. Commits that were made
   * stay.
   *
   * @param limit time that it may take
   */
  public void stop(Duration limit) {
    cache.stop(limit);
  }

  @Override
  public synchronized void close() {
    cache.close();
    events.ifPresent(EmbeddedEvents::close);
    features.ifPresent(EmbeddedFeatures::close);
    names.close();
    ownObjects.ifPresent(ObjectStore::close);
  }
}
