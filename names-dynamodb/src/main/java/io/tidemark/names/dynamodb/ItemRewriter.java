// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Migration of this table's items from older forms to the current one, an item at a time. An item
 * keeps its content, its write id and its time.
 */
final class ItemRewriter {

  private static final AttributeValue NONE = AttributeValue.fromNul(true);

  private final RequestSender requestSender;
  private final ItemCodec itemCodec;

  ItemRewriter(RequestSender requestSender, ItemCodec itemCodec) {
    this.requestSender = requestSender;
    this.itemCodec = itemCodec;
  }

  /**
   * An item in another form.
   *
   * @param known the attributes that must not have changed when it is written
   * @param wanted the attributes to be written; NULL is for those to be removed
   */
  private record OutdatedItem(
      Map<String, AttributeValue> item, List<String> known, Map<String, AttributeValue> wanted) {}

  Stream<MigrationEntry> run(MigrationMode mode) {
    return new RecordLister(requestSender, itemCodec, Optional.empty())
        .addresses()
        .flatMap(pk -> rewrite(pk, mode).stream());
  }

  private Optional<MigrationEntry> rewrite(String pk, MigrationMode mode) {
    List<OutdatedItem> first = List.of();
    try {
      first = stale(pk);
      if (mode == MigrationMode.APPLY) {
        apply(pk, first);
      }
      return first.isEmpty()
          ? Optional.empty()
          : Optional.of(line(pk, first, MigrationEntry.Outcome.CONVERTED, ""));
    } catch (CorruptRecordException | InvalidPayloadException e) {
      return Optional.of(
          line(pk, first, MigrationEntry.Outcome.FAILED, TableMigration.messageOf(e)));
    }
  }

  private static MigrationEntry line(
      String pk, List<OutdatedItem> stale, MigrationEntry.Outcome outcome, String note) {
    List<String> sks = stale.stream().map(s -> RequestSender.sk(s.item())).toList();
    String from = sks.isEmpty() ? pk : pk + " " + String.join(", ", sks);
    boolean maps = stale.stream().anyMatch(s -> s.item().getOrDefault(payloadOf(s), NONE).hasM());
    String form = stale.isEmpty() ? "unknown" : maps ? "maps" : "scalars";
    return new MigrationEntry(from, form, address(pk), outcome, note);
  }

  private static String payloadOf(OutdatedItem outdatedItem) {
    String sk = RequestSender.sk(outdatedItem.item());
    return ConcernAttributes.all()
        .filter(l -> l.sk().equals(sk))
        .map(ConcernAttributes::payload)
        .findFirst()
        .orElse("");
  }

  private static Optional<Address> address(String pk) {
    try {
      return Optional.of(Address.parse(pk));
    } catch (InvalidAddressException e) {
      return Optional.empty(); // reading the record says why
    }
  }

  /** Returns the items of a record that are in another form. */
  private List<OutdatedItem> stale(String pk) {
    Map<String, Map<String, AttributeValue>> now = requestSender.items(pk);
    Optional<NameRecord> record = itemCodec.record(pk, now);
    if (record.isEmpty()) {
      return List.of();
    }
    List<OutdatedItem> stale = new ArrayList<>();
    Map<String, AttributeValue> meta = now.getOrDefault(AttributeNames.META, Map.of());
    compare(
            meta,
            itemCodec.meta(record.get(), ""),
            List.of(AttributeNames.SOURCE_TYPE, AttributeNames.DEPENDENCIES),
            ItemCodec.KNOWN_OF_META)
        .ifPresent(stale::add);
    ItemCodec.concernsOf(record.get().meta().kind())
        .filter(concernAttributes -> now.containsKey(concernAttributes.sk()))
        .forEach(
            concernAttributes ->
                compare(
                        now.getOrDefault(concernAttributes.sk(), Map.of()),
                        itemCodec.concern(record.get(), concernAttributes, ""),
                        concernAttributes.payloadAttributes(),
                        concernAttributes.stateAttributes())
                    .ifPresent(stale::add));
    return stale;
  }

  private static Optional<OutdatedItem> compare(
      Map<String, AttributeValue> item,
      Map<String, AttributeValue> wanted,
      List<String> attributes,
      List<String> known) {
    Map<String, AttributeValue> different = new HashMap<>();
    for (String attribute : attributes) {
      AttributeValue next = wanted.getOrDefault(attribute, NONE);
      if (!same(item.getOrDefault(attribute, NONE), next)) {
        different.put(attribute, next);
      }
    }
    return different.isEmpty()
        ? Optional.empty()
        : Optional.of(new OutdatedItem(item, known, different));
  }

  /** Through JSON, since a server may spell a number in another way. */
  private static boolean same(AttributeValue one, AttributeValue other) {
    return one.type() == other.type()
        && (one.equals(other) || JsonAttributes.toJson(one).equals(JsonAttributes.toJson(other)));
  }

  /**
   * Writes items until none is in another form. A concurrent change of an item writes it in the
   * current form, too.
   */
  private void apply(String pk, List<OutdatedItem> first) {
    Retry.Backoff backoff = requestSender.start();
    List<OutdatedItem> left = first;
    while (!left.isEmpty()) {
      boolean done = true;
      for (OutdatedItem outdatedItem : left) {
        done &= write(pk, outdatedItem, backoff);
      }
      left = done ? List.of() : stale(pk);
    }
  }

  /** Returns whether the item was written; else it is to be looked at again. */
  private boolean write(String pk, OutdatedItem outdatedItem, Retry.Backoff backoff) {
    WriteOutcome writeOutcome = requestSender.update("rewrite " + pk, update(outdatedItem));
    if (writeOutcome instanceof WriteOutcome.Written) {
      return true;
    }
    if (!backoff.pause()) {
      throw gaveUp(pk, writeOutcome);
    }
    return false;
  }

  private static RuntimeException gaveUp(String pk, WriteOutcome writeOutcome) {
    if (writeOutcome instanceof WriteOutcome.Unavailable unavailable) {
      return unavailable.failure();
    }
    return writeOutcome instanceof WriteOutcome.Unknown unknown
        ? unknown.failure()
        : ContentionException.of(pk);
  }

  private UpdateItemRequest update(OutdatedItem outdatedItem) {
    ExpressionBuilder x = new ExpressionBuilder();
    List<String> set = new ArrayList<>();
    List<String> remove = new ArrayList<>();
    outdatedItem
        .wanted()
        .forEach(
            (name, value) -> {
              if (value.type() == AttributeValue.Type.NUL) {
                remove.add(x.name(name));
              } else {
                set.add(x.equal(name, value));
              }
            });
    String update =
        (set.isEmpty() ? "" : "SET " + String.join(", ", set))
            + (remove.isEmpty() ? "" : " REMOVE " + String.join(", ", remove));
    String condition = ItemConditions.unchanged(x, outdatedItem.item(), outdatedItem.known());
    return UpdateItemRequest.builder()
        .tableName(requestSender.table())
        .key(
            ItemCodec.key(
                RequestSender.pk(outdatedItem.item()), RequestSender.sk(outdatedItem.item())))
        .updateExpression(update)
        .conditionExpression(condition)
        .expressionAttributeNames(x.names())
        .expressionAttributeValues(x.values())
        .build();
  }
}
