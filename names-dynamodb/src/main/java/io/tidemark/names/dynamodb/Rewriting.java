// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Migrated;
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
 * Writes the items of this table that are in another form in the one that is written, an item at a
 * time. What an item says doesn't change thereby, nor who wrote it and when.
 */
final class Rewriting {

  private static final AttributeValue NONE = AttributeValue.fromNul(true);

  private final Requests requests;
  private final Items items;

  Rewriting(Requests requests, Items items) {
    this.requests = requests;
    this.items = items;
  }

  /**
   * An item in another form.
   *
   * @param known the attributes that must not have changed when it is written
   * @param wanted the attributes to be written; NULL is for those to be removed
   */
  private record Stale(
      Map<String, AttributeValue> item, List<String> known, Map<String, AttributeValue> wanted) {}

  Stream<Migrated> run(MigrationMode mode) {
    return new Records(requests, items, Optional.empty())
        .addresses()
        .flatMap(pk -> rewrite(pk, mode).stream());
  }

  private Optional<Migrated> rewrite(String pk, MigrationMode mode) {
    List<Stale> first = List.of();
    try {
      first = stale(pk);
      if (mode == MigrationMode.APPLY) {
        apply(pk, first);
      }
      return first.isEmpty()
          ? Optional.empty()
          : Optional.of(line(pk, first, Migrated.Outcome.CONVERTED, ""));
    } catch (CorruptRecordException | InvalidPayloadException e) {
      return Optional.of(line(pk, first, Migrated.Outcome.FAILED, Migration.said(e)));
    }
  }

  private static Migrated line(
      String pk, List<Stale> stale, Migrated.Outcome outcome, String note) {
    List<String> sks = stale.stream().map(s -> Requests.sk(s.item())).toList();
    String from = sks.isEmpty() ? pk : pk + " " + String.join(", ", sks);
    boolean maps = stale.stream().anyMatch(s -> s.item().getOrDefault(payloadOf(s), NONE).hasM());
    String form = stale.isEmpty() ? "unknown" : maps ? "maps" : "scalars";
    return new Migrated(from, form, address(pk), outcome, note);
  }

  private static String payloadOf(Stale stale) {
    String sk = Requests.sk(stale.item());
    return Layout.all().filter(l -> l.sk().equals(sk)).map(Layout::payload).findFirst().orElse("");
  }

  private static Optional<Address> address(String pk) {
    try {
      return Optional.of(Address.parse(pk));
    } catch (InvalidAddressException e) {
      return Optional.empty(); // reading the record says why
    }
  }

  /** The items of a record that are in another form. */
  private List<Stale> stale(String pk) {
    Map<String, Map<String, AttributeValue>> now = requests.items(pk);
    Optional<NameRecord> record = items.record(pk, now);
    if (record.isEmpty()) {
      return List.of();
    }
    List<Stale> stale = new ArrayList<>();
    Map<String, AttributeValue> meta = now.getOrDefault(Attributes.META, Map.of());
    compare(
            meta,
            items.meta(record.get(), ""),
            List.of(Attributes.SOURCE_TYPE, Attributes.DEPENDENCIES),
            Items.KNOWN_OF_META)
        .ifPresent(stale::add);
    Items.concernsOf(record.get().meta().kind())
        .filter(layout -> now.containsKey(layout.sk()))
        .forEach(
            layout ->
                compare(
                        now.getOrDefault(layout.sk(), Map.of()),
                        items.concern(record.get(), layout, ""),
                        layout.forms(),
                        layout.known())
                    .ifPresent(stale::add));
    return stale;
  }

  private static Optional<Stale> compare(
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
    return different.isEmpty() ? Optional.empty() : Optional.of(new Stale(item, known, different));
  }

  /** Through JSON, since a server may spell a number in another way. */
  private static boolean same(AttributeValue one, AttributeValue other) {
    return one.type() == other.type()
        && (one.equals(other) || JsonAttributes.toJson(one).equals(JsonAttributes.toJson(other)));
  }

  /** Writes items until none is in another form; whoever changes one meanwhile writes it anew. */
  private void apply(String pk, List<Stale> first) {
    Retry.Backoff backoff = requests.start();
    List<Stale> left = first;
    while (!left.isEmpty()) {
      boolean done = true;
      for (Stale stale : left) {
        done &= write(pk, stale, backoff);
      }
      left = done ? List.of() : stale(pk);
    }
  }

  /** Whether the item was written; else it is to be looked at again. */
  private boolean write(String pk, Stale stale, Retry.Backoff backoff) {
    Answer answer = requests.update("rewrite " + pk, update(stale));
    if (answer instanceof Answer.Done) {
      return true;
    }
    if (!backoff.pause()) {
      throw gaveUp(pk, answer);
    }
    return false;
  }

  private static RuntimeException gaveUp(String pk, Answer answer) {
    if (answer instanceof Answer.Busy busy) {
      return busy.failure();
    }
    return answer instanceof Answer.Lost lost ? lost.failure() : ContentionException.of(pk);
  }

  private UpdateItemRequest update(Stale stale) {
    Expression x = new Expression();
    List<String> set = new ArrayList<>();
    List<String> remove = new ArrayList<>();
    stale
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
    String condition = Conditions.unchanged(x, stale.item(), stale.known());
    return UpdateItemRequest.builder()
        .tableName(requests.table())
        .key(Items.key(Requests.pk(stale.item()), Requests.sk(stale.item())))
        .updateExpression(update)
        .conditionExpression(condition)
        .expressionAttributeNames(x.names())
        .expressionAttributeValues(x.values())
        .build();
  }
}
