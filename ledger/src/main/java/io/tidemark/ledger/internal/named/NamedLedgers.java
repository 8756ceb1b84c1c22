// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.RecordKind;
import io.tidemark.names.RetractedException;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.StoreUnavailableException;
import java.util.Optional;

/**
 * Ledgers by name.
 *
 * <p>The record of a ledger says in its config where the objects are, {@code
 * {"ledger":{"objects":"..."}}}: a path in the store that the names are in, or the location of
 * another store. Where it says nothing, they are in {@code ledgers/<name>/}. Its head follows the
 * ledger's commits: {@code t} is the commit, {@code id} the content id of its manifest. A branch
 * has a record of its own for its head, and is where main is; see {@link NamedBranches}.
 */
public final class NamedLedgers {

  private static final String LEDGER = "ledger";

  /** Config member in the record of a feature collection, whose head doesn't follow commits. */
  private static final String FEATURES = "features";

  private static final String OBJECTS = "objects";
  private static final int TRIES = 10;

  private final NameService names;
  private final LocationPolicy locationPolicy;

  public NamedLedgers(NameService names) {
    this(names, LocationPolicy.allowAll());
  }

  /** Admits only ledgers whose locations the policy allows. */
  public NamedLedgers(NameService names, LocationPolicy locationPolicy) {
    this.names = names;
    this.locationPolicy = locationPolicy;
  }

  NameService names() {
    return names;
  }

  /**
   * Location of a ledger's objects.
   *
   * @param owned whether the store was opened for this place, and is to be closed with it
   */
  public record LedgerLocation(ObjectStore store, String prefix, boolean owned)
      implements AutoCloseable {

    /** Returns the objects in this location as a branch sees them. */
    public LedgerObjects objects(Address address) {
      return new LedgerObjects(store, prefix).forBranch(new BranchName(address.branch()));
    }

    /** Returns the initializer of this location. */
    public LedgerInitializer init() {
      return new LedgerInitializer(store, prefix);
    }

    @Override
    public void close() {
      if (owned) {
        store.close();
      }
    }
  }

  /** Open ledger, to be closed with the store that was opened for it. */
  public record OpenLedger(Ledger ledger, LedgerLocation place) implements AutoCloseable {
    @Override
    public void close() {
      try {
        ledger.close();
      } finally {
        place.close();
      }
    }
  }

  /**
   * Gives a name to a place that is to become a ledger, or finds the name's place. Doing it again,
   * as after a crash, changes nothing. Of two claims at once with different places, one is refused.
   *
   * @param objects where the objects are to be; empty for the usual place
   * @throws AlreadyExistsException when the name is that of something else
   */
  public LedgerLocation claim(Address address, Optional<String> objects) {
    requireMain(address);
    if (objects.isPresent()) {
      location(address, objects.get()).close(); // refuses what can't be opened before it is written
    }
    Optional<NameRecord> known = names.find(address);
    known.ifPresent(record -> requireFree(record, objects));
    if (known.isEmpty()) {
      try {
        names.create(address);
      } catch (AlreadyExistsException e) {
        // By another at the same time, or by an earlier try whose answer was lost.
        names.find(address).ifPresent(record -> requireFree(record, objects));
      }
    }
    Optional<String> before = known.flatMap(record -> objects(record.config()));
    objects.ifPresent(location -> storeLocation(address, before, location));
    return location(address);
  }

  /** Returns the location that {@link #claim} would return, without claiming it. */
  public LedgerLocation preview(Address address, Optional<String> objects) {
    requireMain(address);
    Optional<NameRecord> known = names.find(address);
    known.ifPresent(record -> requireFree(record, objects));
    return location(
        address,
        objects
            .or(() -> known.flatMap(record -> objects(record.config())))
            .orElse(defaultLocation(address)));
  }

  /** Refuses a name that can't become that of a ledger in a place. */
  private void requireFree(NameRecord record, Optional<String> objects) {
    requireFree(record);
    Address address = record.address();
    String named = objects(record.config()).orElse(defaultLocation(address));
    objects.ifPresent(location -> requireNoLedgerElsewhere(address, named, location));
  }

  /** Refuses another location for a name, since the name would let go of the ledger it has. */
  private void requireNoLedgerElsewhere(Address address, String named, String objects) {
    if (named.equals(objects) || (isRelative(named) && names.objects().isEmpty())) {
      return;
    }
    try (LedgerLocation before = location(address, named);
        LedgerLocation next = location(address, objects)) {
      LedgerInitializer.InitializationPlan there = before.init().plan();
      if (there.alreadyInitialized() && !there.location().equals(next.init().plan().location())) {
        throw taken(address, there.location());
      }
    }
  }

  private static AlreadyExistsException taken(Address address, String location) {
    return new AlreadyExistsException(
        address
            + " is the name of the ledger in "
            + location
            + "; choose another name, or purge this one first");
  }

  /** Returns the location of a ledger, which needn't be initialised yet. */
  public LedgerLocation location(Address address) {
    return location(record(address));
  }

  private LedgerLocation location(NameRecord record) {
    return locationOrDefault(record.address());
  }

  /** Returns where a ledger is or would be: where the record of its main branch says. */
  public LedgerLocation locationOrDefault(Address address) {
    Address main = address.onBranch(Address.MAIN);
    Optional<String> said = names.find(main).flatMap(record -> objects(record.config()));
    return location(address, said.orElse(defaultLocation(address)));
  }

  private NameRecord record(Address address) {
    NameRecord record =
        names
            .find(address)
            .filter(NamedLedgers::isLedger)
            .orElseThrow(
                () ->
                    new NotFoundException(
                        address.branch().equals(Address.MAIN)
                            ? "there is no ledger " + address + "; initialise it first"
                            : "there is no branch " + address + "; make it with 'branch create'"));
    if (collection(record).isPresent()) {
      throw new NotFoundException(
          "there is no ledger "
              + address
              + ", which is the name of a collection of features; read it with 'features'");
    }
    requireLive(record);
    return record;
  }

  /** Opens a ledger, whose commits are published under its name. */
  public OpenLedger open(Address address, LedgerOptions options) {
    NameRecord record = record(address);
    LedgerLocation ledgerLocation = location(record);
    try {
      LedgerOptions publishing =
          options.withPublisher(new NameRecordPublisher(names, address, record.commit().t()));
      return new OpenLedger(
          open(record, ledgerLocation.objects(address), publishing, ledgerLocation),
          ledgerLocation);
    } catch (RuntimeException e) {
      ledgerLocation.close();
      throw e;
    }
  }

  /** Opens a ledger; one that has commits isn't taken for one that has to be initialised. */
  private static Ledger open(
      NameRecord record,
      LedgerObjects objects,
      LedgerOptions options,
      LedgerLocation ledgerLocation) {
    try {
      return Ledger.open(objects, options);
    } catch (UninitializedLedgerException e) {
      requireStore(record, ledgerLocation);
      throw e;
    }
  }

  private static void requireStore(NameRecord record, LedgerLocation ledgerLocation) {
    if (record.commit().id().isPresent() && !ledgerLocation.store().exists()) {
      throw new StoreGoneException(
          "the objects of "
              + record.address()
              + ", which has "
              + record.commit().t()
              + " commits, are to be in "
              + ledgerLocation.store()
              + ", where no store is; mount or restore it");
    }
  }

  private LedgerLocation location(Address address, String objects) {
    locationPolicy.requireAllowed(address, objects);
    if (isRelative(objects)) {
      ObjectStore store =
          names
              .objects()
              .orElseThrow(
                  () ->
                      new InvalidLocationException(
                          "the names in "
                              + names.location()
                              + " aren't in an object store, so the objects of "
                              + address
                              + " can't be beside them; say where they are, such as"
                              + " s3://bucket/prefix, or"
                              + " dynamodb://table?objects=s3://bucket/prefix for all ledgers of a"
                              + " table"));
      return new LedgerLocation(store, objects, false);
    }
    requireNoServer(address, objects);
    return new LedgerLocation(ObjectStore.open(objects), "", true);
  }

  /**
   * Refuses servers: a caller that may write a config could otherwise have the tokens of other
   * callers sent to a server of its own.
   */
  private static void requireNoServer(Address address, String objects) {
    if (objects.regionMatches(true, 0, "http", 0, 4)) {
      throw new InvalidLocationException(
          "the objects of "
              + address
              + " can't be on a server; name a path or s3://bucket/prefix, or clone the ledger from"
              + " there");
    }
  }

  /** Returns whether it is a path in the same store: with a slash at its end and no scheme. */
  private static boolean isRelative(String objects) {
    return objects.endsWith("/") && !objects.startsWith("/") && !objects.contains(":");
  }

  private static String defaultLocation(Address address) {
    return DefaultLocation.of(address);
  }

  /** Returns the location that a config gives for a ledger's objects; empty if it gives none. */
  private static Optional<String> objects(ConcernValue config) {
    return config
        .payload()
        .map(payload -> payload.toTree().path(LEDGER).path(OBJECTS))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue);
  }

  /**
   * Stores the location of the objects in the config, leaving the rest of the config as it is.
   *
   * @param before what it said when the claim began; if it says another place now, the name has
   *     become that of another ledger
   */
  private void storeLocation(Address address, Optional<String> before, String objects) {
    for (int i = 0; i < TRIES; i++) {
      ConcernValue config = names.get(address, Concern.CONFIG).orElse(ConcernValue.UNBORN);
      Optional<String> now = objects(config);
      if (now.equals(Optional.of(objects))) {
        return;
      }
      if (!now.equals(before)) {
        throw taken(address, now.orElse(defaultLocation(address)));
      }
      Payload next =
          config
              .payload()
              .orElseGet(() -> Payload.build(json -> {}))
              .with(json -> json.withObject("/" + LEDGER).put(OBJECTS, objects));
      PushResult result =
          names.push(
              address,
              Concern.CONFIG,
              Optional.of(config),
              ConcernValue.of(config.watermark() + 1, next));
      if (result.updated()) {
        return;
      }
    }
    throw new StoreUnavailableException(
        "the config of "
            + address
            + " was changed by others each of "
            + TRIES
            + " times; try again");
  }

  private static boolean isLedger(NameRecord record) {
    return record.meta().kind() == RecordKind.LEDGER;
  }

  /** Returns what a record's config says of a feature collection; empty if it has none. */
  private static Optional<JsonNode> collection(NameRecord record) {
    return record
        .config()
        .payload()
        .map(payload -> payload.toTree().path(FEATURES))
        .filter(said -> !said.isMissingNode());
  }

  /** Refuses a name that can't become that of a ledger. */
  static void requireFree(NameRecord record) {
    if (!isLedger(record)) {
      throw new AlreadyExistsException(
          record.address() + " is the name of a graph source; give the ledger another");
    }
    collection(record)
        .ifPresent(
            said -> {
              throw new AlreadyExistsException(
                  record.address()
                      + " is the name of a collection of features, "
                      + said
                      + "; give the ledger another");
            });
    requireLive(record);
  }

  private static void requireLive(NameRecord record) {
    if (record.meta().retracted()) {
      throw new RetractedException(record.address() + " is retracted; restore it to use it");
    }
  }

  private static void requireMain(Address address) {
    if (!address.branch().equals(Address.MAIN)) {
      throw new InvalidLocationException(
          address
              + " is a branch, and a ledger begins with "
              + Address.MAIN
              + "; make the branch with 'branch create "
              + address.name()
              + " "
              + address.branch()
              + "'");
    }
  }
}
