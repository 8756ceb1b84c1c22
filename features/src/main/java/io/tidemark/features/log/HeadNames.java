// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.Txn;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Collections in the nameservice: each is a ledger {@code storage/collection:main}, with a dot for
 * each colon in the collection's id, which has no dots of its own. Its {@code t} is the sequence
 * number of the last transaction that touched it, its id the GUID of that transaction. The config
 * says what it is: {@code {"features":{"storage":"...","collection":"..."}}}.
 */
public final class HeadNames {

  private static final String FEATURES = "features";

  private final NameService names;
  private final String storageId;
  private final Set<String> known = new HashSet<>();

  HeadNames(NameService names, String storageId) {
    this.names = names;
    this.storageId = storageId;
  }

  /** Where the head of a collection is found. */
  public static Address address(String storageId, String collection) {
    return new Address(storageId + '/' + collection.replace(':', '.'), Address.MAIN);
  }

  /** The GUID of a transaction. */
  static String guid(String storageId, Txn txn) {
    LocalDate day = txn.day();
    return "%s:txn:%d:%d:%d:%d"
        .formatted(
            storageId, day.getYear(), day.getMonthValue(), day.getDayOfMonth(), txn.sequence());
  }

  /** Moves a head forward; one that is there or further already stays. Returns where it is. */
  long publish(String collection, long number, Txn txn) {
    Address address = address(storageId, collection);
    Ref ref = Ref.of(guid(storageId, txn), number);
    if (!known.contains(collection)) {
      introduce(address, collection, ref);
      known.add(collection);
    }
    try {
      PushResult result = names.ledgers().publishCommit(address, ref);
      return result instanceof PushResult.Conflict conflict
          ? conflict.actual().map(ConcernValue::watermark).orElse(number)
          : number;
    } catch (NotFoundException e) {
      known.remove(collection); // purged by somebody; it is made anew the next time
      throw e;
    }
  }

  /** Makes the record if there is none, and says in it what it is. */
  private void introduce(Address address, String collection, Ref ref) {
    Optional<NameRecord> there = names.find(address);
    if (there.isEmpty()) {
      PushResult unused = names.ledgers().compareAndSetCommit(address, Optional.empty(), ref);
    }
    ConcernValue config = there.map(NameRecord::config).orElse(ConcernValue.UNBORN);
    if (config.isUnborn()) {
      Payload payload =
          Payload.build(
              json ->
                  json.putObject(FEATURES).put("storage", storageId).put("collection", collection));
      // A conflict says that somebody else has just done the same.
      PushResult unused =
          names.push(address, Concern.CONFIG, Optional.of(config), ConcernValue.of(1, payload));
    }
  }
}
