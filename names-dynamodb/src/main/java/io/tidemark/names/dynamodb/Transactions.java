// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Edit;
import io.tidemark.names.Edited;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordEdit;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Changes of a record as a whole, each one transaction over its items.
 *
 * <p>A transaction carries a token by which DynamoDB recognises it for ten minutes: sent again
 * after a lost answer it answers as it did the first time. That is longer than we try. For servers
 * that don't know tokens there is the write id in meta.
 */
final class Transactions {

  private final Requests requests;
  private final Items items;

  Transactions(Requests requests, Items items) {
    this.requests = requests;
    this.items = items;
  }

  /**
   * Writes all items of a record; false when there is one. A branch is also written down with the
   * one it was made from, unless that is gone.
   */
  boolean create(NameRecord record) {
    return create(record, Addition.NONE, UUID.randomUUID().toString());
  }

  /**
   * Attributes and items that are written together with a record.
   *
   * @param meta attributes of the item meta that say nothing about the record
   * @param item one more item, which must not be there yet; it carries the write id too
   */
  record Addition(Map<String, AttributeValue> meta, Optional<Map<String, AttributeValue>> item) {
    static final Addition NONE = new Addition(Map.of(), Optional.empty());
  }

  /** Writes all items of a record and more; false when there is one. */
  boolean create(NameRecord record, Addition more, String writeId) {
    Optional<Map<String, AttributeValue>> unmet = create(record, more, writeId, Map.of());
    boolean leftOver = unmet.map(Requests::sk).filter(Transactions::isOfAConcern).isPresent();
    if (!leftOver) {
      return unmet.isEmpty();
    }
    // Fluree purges meta first; where it came no further, what is left is no record.
    Map<String, Map<String, AttributeValue>> left = requests.items(record.address().toString());
    return !left.containsKey(Attributes.META) && create(record, more, writeId, left).isEmpty();
  }

  private static boolean isOfAConcern(String sk) {
    return Layout.all().anyMatch(layout -> layout.sk().equals(sk));
  }

  /**
   * Writes all items of a record.
   *
   * @param left items that may be replaced, as they are
   * @return empty when it was done, else what is in the way
   */
  private Optional<Map<String, AttributeValue>> create(
      NameRecord record,
      Addition more,
      String writeId,
      Map<String, Map<String, AttributeValue>> left) {
    List<TransactWriteItem> puts = new ArrayList<>();
    Map<String, AttributeValue> meta = new HashMap<>(more.meta());
    meta.putAll(items.meta(record, writeId));
    meta.put(Attributes.RECORD_ID, AttributeValue.fromS(writeId));
    puts.add(putNew(requests.table(), meta));
    Items.concernsOf(record.meta().kind())
        .map(layout -> items.concern(record, layout, writeId))
        .forEach(item -> puts.add(putOver(left.get(Requests.sk(item)), item)));
    more.item().ifPresent(item -> puts.add(putNew(requests.table(), item)));
    String what = "create " + record.address();
    Optional<String> source = sourceOf(record);
    if (source.isEmpty()) {
      return commit(what, puts, writeId);
    }
    List<TransactWriteItem> all = new ArrayList<>(puts);
    all.add(children(source.get(), "ADD ", record.address().branch()));
    Optional<Map<String, AttributeValue>> unmet = commit(what, all, writeId);
    boolean sourceIsGone = unmet.isPresent() && unmet.get().isEmpty();
    return sourceIsGone ? commit(what, puts, writeId) : unmet;
  }

  private TransactWriteItem putOver(
      @Nullable Map<String, AttributeValue> left, Map<String, AttributeValue> item) {
    return left == null ? putNew(requests.table(), item) : put(item, left);
  }

  private static Optional<String> sourceOf(NameRecord record) {
    return record
        .meta()
        .sourceBranch()
        .filter(branch -> !branch.equals(record.address().branch()))
        .map(branch -> record.address().onBranch(branch).toString());
  }

  /** Adds a branch to the children of a source, or takes it out. */
  private TransactWriteItem children(String source, String verb, String branch) {
    Expression x = new Expression();
    String update =
        verb + x.name(Attributes.CHILDREN) + " " + x.value(AttributeValue.fromSs(List.of(branch)));
    String condition = x.present(Attributes.PK);
    return TransactWriteItem.builder()
        .update(
            u ->
                u.tableName(requests.table())
                    .key(Items.key(source, Attributes.META))
                    .updateExpression(update)
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values()))
        .build();
  }

  /**
   * Changes a record as a whole, again and again until nobody interferes. Once it was overtaken it
   * has others wait.
   *
   * @param reservation taken when another write interferes
   */
  Optional<Edited> edit(Address address, RecordEdit decide, EditReservation reservation) {
    Optional<Edited> edited = Optional.empty();
    try {
      edited = tryEdit(address, decide, reservation);
      return edited;
    } finally {
      if (edited.filter(e -> !e.after().equals(Optional.of(e.before()))).isEmpty()) {
        reservation.release();
      }
    }
  }

  private Optional<Edited> tryEdit(
      Address address, RecordEdit decide, EditReservation reservation) {
    String pk = address.toString();
    Retry.Backoff backoff = requests.start();
    while (true) {
      Map<String, Map<String, AttributeValue>> now = requests.items(pk);
      Optional<NameRecord> record = items.record(pk, now);
      if (record.isEmpty()) {
        return Optional.empty();
      }
      Edit edit = decide.decide(record.get());
      boolean taken = edit != Edit.Keep.KEEP && reservation.isTakenByAnother(now);
      if (!taken && carryOut(record.get(), now, edit)) {
        return Optional.of(Edited.of(record.get(), edit));
      }
      ContentionException.pauseOrGiveUp(backoff, address);
      if (!taken) {
        reservation.take(now);
      }
    }
  }

  private boolean carryOut(
      NameRecord seen, Map<String, Map<String, AttributeValue>> now, Edit edit) {
    if (edit instanceof Edit.Replace replace) {
      return replace(seen, now, replace.next());
    }
    return edit == Edit.Keep.KEEP || remove(seen, now);
  }

  /** Replaces the items of a record, if they are as they were read. */
  private boolean replace(
      NameRecord seen, Map<String, Map<String, AttributeValue>> now, NameRecord next) {
    String writeId = UUID.randomUUID().toString();
    List<TransactWriteItem> writes = new ArrayList<>();
    Map<String, AttributeValue> meta = now.getOrDefault(Attributes.META, Map.of());
    Map<String, AttributeValue> nextMeta =
        over(meta, items.meta(next, writeId), Items.KNOWN_OF_META);
    AttributeValue children = meta.get(Attributes.CHILDREN);
    if (children != null) {
      nextMeta.put(Attributes.CHILDREN, children);
    }
    writes.add(put(nextMeta, meta));
    Items.concernsOf(next.meta().kind())
        .forEach(
            layout ->
                writes.add(
                    write(layout, now.getOrDefault(layout.sk(), Map.of()), seen, next, writeId)));
    return commit("change " + seen.address(), writes, writeId).isEmpty();
  }

  /** What becomes of one concern's item; at least that it stays as it is. */
  private TransactWriteItem write(
      Layout layout,
      Map<String, AttributeValue> now,
      NameRecord seen,
      NameRecord next,
      String writeId) {
    Map<String, AttributeValue> wanted = items.concern(next, layout, writeId);
    if (now.isEmpty()) {
      return putNew(requests.table(), wanted);
    }
    boolean sameState = seen.concern(layout.concern()).equals(next.concern(layout.concern()));
    boolean sameMarks =
        Items.retracted(now) == next.meta().retracted()
            && (layout != Layout.INDEX || seen.meta().indexRev() == next.meta().indexRev());
    if (sameState && sameMarks) {
      return EditReservation.isReserved(now) ? put(released(now), now) : check(layout, now);
    }
    Map<String, AttributeValue> item = over(now, wanted, layout.known());
    AttributeValue writer = now.get(Attributes.WRITE_ID);
    if (sameState && writer != null) {
      // Whoever wrote the state may still be looking for the trace of it.
      item.put(Attributes.WRITE_ID, writer);
    }
    return put(item, now);
  }

  private static Map<String, AttributeValue> released(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> released = new HashMap<>(item);
    released.remove(Attributes.RESERVED_BY);
    return released;
  }

  /**
   * Removes the items of a record, if they are as they were read. That includes the children: a
   * branch that was made since whoever decided so looked for branches counts as a change.
   */
  private boolean remove(NameRecord seen, Map<String, Map<String, AttributeValue>> now) {
    List<TransactWriteItem> deletes = new ArrayList<>();
    now.forEach(
        (sk, item) -> {
          if (sk.equals(Attributes.META) || isOfAConcern(sk)) {
            deletes.add(delete(item));
          }
        });
    String branch = seen.address().branch();
    sourceOf(seen)
        .filter(source -> childrenIn(requests.item(source, Attributes.META)).contains(branch))
        .ifPresent(source -> deletes.add(children(source, "DELETE ", branch)));
    return commit("remove " + seen.address(), deletes, UUID.randomUUID().toString()).isEmpty();
  }

  /** The branches that were written down with the one they were made from. */
  static List<String> childrenIn(Map<String, AttributeValue> meta) {
    AttributeValue children = meta.get(Attributes.CHILDREN);
    return children == null ? List.of() : children.ss();
  }

  /**
   * Sends a transaction until it is answered.
   *
   * @return empty when it was carried out, else the item whose condition didn't hold, if there is
   *     one
   */
  private Optional<Map<String, AttributeValue>> commit(
      String what, List<TransactWriteItem> writes, String writeId) {
    TransactWriteItemsRequest request =
        TransactWriteItemsRequest.builder()
            .transactItems(writes)
            .clientRequestToken(UUID.randomUUID().toString())
            .build();
    Retry.Backoff backoff = requests.start();
    @Nullable OutcomeUnknownException doubt = null;
    while (true) {
      Answer answer = requests.transact(what, request);
      if (answer instanceof Answer.Done) {
        return Optional.empty();
      }
      if (answer instanceof Answer.Unmet unmet) {
        boolean ours = Items.wroteLast(unmet.old(), writeId);
        return ours ? Optional.empty() : Optional.of(unmet.old());
      }
      if (answer instanceof Answer.Lost lost) {
        doubt = lost.failure();
      }
      if (!backoff.pause()) {
        if (doubt != null) {
          throw doubt;
        }
        throw ((Answer.Busy) answer).failure();
      }
    }
  }

  /** The old item with what is known of it replaced; what others have put there stays. */
  private static Map<String, AttributeValue> over(
      Map<String, AttributeValue> old, Map<String, AttributeValue> wanted, List<String> known) {
    Map<String, AttributeValue> item = new HashMap<>(old);
    known.forEach(item::remove);
    item.putAll(wanted);
    return item;
  }

  static TransactWriteItem putNew(String table, Map<String, AttributeValue> item) {
    return TransactWriteItem.builder()
        .put(
            p ->
                p.tableName(table)
                    .item(item)
                    .conditionExpression("attribute_not_exists(pk)")
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD))
        .build();
  }

  private TransactWriteItem put(Map<String, AttributeValue> item, Map<String, AttributeValue> now) {
    Expression x = new Expression();
    String condition = Conditions.unchanged(x, now, knownOf(Requests.sk(now)));
    return TransactWriteItem.builder()
        .put(
            p ->
                p.tableName(requests.table())
                    .item(item)
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values())
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD))
        .build();
  }

  private TransactWriteItem check(Layout layout, Map<String, AttributeValue> now) {
    Expression x = new Expression();
    String condition = Conditions.unchanged(x, now, layout.known());
    return TransactWriteItem.builder()
        .conditionCheck(
            c ->
                c.tableName(requests.table())
                    .key(Items.key(Requests.pk(now), layout.sk()))
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values()))
        .build();
  }

  private TransactWriteItem delete(Map<String, AttributeValue> now) {
    Expression x = new Expression();
    String sk = Requests.sk(now);
    String condition = Conditions.unchanged(x, now, knownOf(sk));
    return TransactWriteItem.builder()
        .delete(
            d ->
                d.tableName(requests.table())
                    .key(Items.key(Requests.pk(now), sk))
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values()))
        .build();
  }

  private static List<String> knownOf(String sk) {
    return sk.equals(Attributes.META)
        ? Items.KNOWN_OF_META
        : Layout.all().filter(l -> l.sk().equals(sk)).findFirst().orElseThrow().known();
  }
}
