// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.model.Txn;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import java.time.LocalDate;
import java.util.Optional;

/**
 * Heads of collections in the nameservice: each collection is a ledger {@code
 * storage/collection:main}, with a dot for each colon in the collection's id, which has no dots of
 * its own. Its {@code t} is the sequence number of the last transaction that touched it, its id the
 * GUID of that transaction. The config identifies the collection: {@code
 * {"features":{"storage":"...","collection":"...","identity":"..."}}}.
 *
 * <p>A ledger or another storage may have the same name, so a record whose config differs is left
 * alone. The identity tells two storages with the same id apart.
 */
public final class CollectionHeads {

  private static final String FEATURES = "features";

  private final NameService names;
  private final String storageId;

  /**
   * Head of a collection, to be published.
   *
   * @param identity of the storage, as the database has it
   */
  record Head(String collection, String identity, long number, Txn txn) {}

  CollectionHeads(NameService names, String storageId) {
    this.names = names;
    this.storageId = storageId;
  }

  /** Returns the address of a collection's record. */
  public static Address address(String storageId, String collection) {
    return new Address(storageId + '/' + collection.replace(':', '.'), Address.MAIN);
  }

  /** Returns the GUID of a transaction. */
  static String guid(String storageId, Txn txn) {
    LocalDate day = txn.day();
    return "%s:txn:%d:%d:%d:%d"
        .formatted(
            storageId, day.getYear(), day.getMonthValue(), day.getDayOfMonth(), txn.sequence());
  }

  /**
   * Moves a head forward; a head that is there or further already stays. Returns its position.
   *
   * @throws AlreadyExistsException if the record belongs to another ledger or storage
   */
  long publish(Head head) {
    Address address = address(storageId, head.collection);
    Ref ref = Ref.of(guid(storageId, head.txn), head.number);
    ensureRecord(
        address, head); // each time: it may have been purged since, and be another's by now
    PushResult result = names.ledgers().publishCommit(address, ref);
    return result instanceof PushResult.Conflict conflict
        ? conflict.actual().map(ConcernValue::watermark).orElse(head.number)
        : head.number;
  }

  /** Creates the record if there is none, writes its config, and checks the config it has then. */
  private void ensureRecord(Address address, Head head) {
    Payload own =
        Payload.build(
            json ->
                json.putObject(FEATURES)
                    .put("storage", storageId)
                    .put("collection", head.collection)
                    .put("identity", head.identity));
    NameRecord there = names.find(address).orElseGet(() -> made(address));
    if (isUnclaimed(there)) {
      // On a conflict another process was faster, perhaps with the same record.
      PushResult unused =
          names.push(address, Concern.CONFIG, Optional.of(there.config()), ConcernValue.of(1, own));
      there = names.find(address).orElse(there);
    }
    if (!matches(there.config(), own)) {
      throw new AlreadyExistsException(
          ("the record %s isn't this collection's: it says %s, and would have to say %s; purge it if"
                  + " nobody needs it, or publish the heads of this storage in another nameservice")
              .formatted(
                  address, there.config().payload().map(Payload::toJson).orElse("nothing"), own));
    }
  }

  private NameRecord made(Address address) {
    try {
      return names.create(address);
    } catch (AlreadyExistsException e) { // by another at the same time
      return names.find(address).orElseThrow(() -> e);
    }
  }

  /** Returns whether a record has no config, and no head of a ledger. */
  private boolean isUnclaimed(NameRecord record) {
    return record.meta().kind() == RecordKind.LEDGER
        && record.config().isUnborn()
        && record.commit().id().stream().allMatch(id -> id.startsWith(storageId + ":txn:"));
  }

  /** Further entries in a config are allowed. */
  private static boolean matches(ConcernValue config, Payload own) {
    return config
        .payload()
        .map(said -> said.toTree().path(FEATURES))
        .filter(said -> said.equals(own.toTree().path(FEATURES)))
        .isPresent();
  }
}
