// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
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
final class RecordTransactions {

  private final RequestSender requestSender;
  private final ItemCodec itemCodec;

  RecordTransactions(RequestSender requestSender, ItemCodec itemCodec) {
    this.requestSender = requestSender;
    this.itemCodec = itemCodec;
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
    boolean leftOver =
        unmet.map(RequestSender::sk).filter(RecordTransactions::isOfAConcern).isPresent();
    if (!leftOver) {
      return unmet.isEmpty();
    }
    // Fluree purges meta first; where it came no further, what is left is no record.
    Map<String, Map<String, AttributeValue>> left =
        requestSender.items(record.address().toString());
    return !left.containsKey(AttributeNames.META) && create(record, more, writeId, left).isEmpty();
  }

  private static boolean isOfAConcern(String sk) {
    return ConcernAttributes.all().anyMatch(concernAttributes -> concernAttributes.sk().equals(sk));
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
    meta.putAll(itemCodec.meta(record, writeId));
    meta.put(AttributeNames.RECORD_ID, AttributeValue.fromS(writeId));
    puts.add(putNew(requestSender.table(), meta));
    ItemCodec.concernsOf(record.meta().kind())
        .map(concernAttributes -> itemCodec.concern(record, concernAttributes, writeId))
        .forEach(item -> puts.add(replaceLeftover(left.get(RequestSender.sk(item)), item)));
    more.item().ifPresent(item -> puts.add(putNew(requestSender.table(), item)));
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

  private TransactWriteItem replaceLeftover(
      @Nullable Map<String, AttributeValue> left, Map<String, AttributeValue> item) {
    return left == null ? putNew(requestSender.table(), item) : put(item, left);
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
    ExpressionBuilder x = new ExpressionBuilder();
    String update =
        verb
            + x.name(AttributeNames.CHILDREN)
            + " "
            + x.value(AttributeValue.fromSs(List.of(branch)));
    String condition = x.present(AttributeNames.PK);
    return TransactWriteItem.builder()
        .update(
            u ->
                u.tableName(requestSender.table())
                    .key(ItemCodec.key(source, AttributeNames.META))
                    .updateExpression(update)
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values()))
        .build();
  }

  /**
   * Changes a record as a whole, and retries until no other write interferes. After the first
   * conflict other writers have to wait.
   *
   * @param reservation taken when another write interferes
   */
  Optional<EditResult> edit(Address address, RecordEdit decide, EditReservation reservation) {
    Optional<EditResult> edited = Optional.empty();
    try {
      edited = tryEdit(address, decide, reservation);
      return edited;
    } finally {
      if (edited.filter(e -> !e.after().equals(Optional.of(e.before()))).isEmpty()) {
        reservation.release();
      }
    }
  }

  private Optional<EditResult> tryEdit(
      Address address, RecordEdit decide, EditReservation reservation) {
    String pk = address.toString();
    Retry.Backoff backoff = requestSender.start();
    while (true) {
      Map<String, Map<String, AttributeValue>> now = requestSender.items(pk);
      Optional<NameRecord> record = itemCodec.record(pk, now);
      if (record.isEmpty()) {
        return Optional.empty();
      }
      EditDecision editDecision = decide.decide(record.get());
      boolean taken =
          editDecision != EditDecision.Keep.KEEP && reservation.isReservedByAnother(now);
      if (!taken && apply(record.get(), now, editDecision)) {
        return Optional.of(EditResult.of(record.get(), editDecision));
      }
      ContentionException.pauseOrGiveUp(backoff, address);
      if (!taken) {
        reservation.reserve(now);
      }
    }
  }

  private boolean apply(
      NameRecord seen, Map<String, Map<String, AttributeValue>> now, EditDecision editDecision) {
    if (editDecision instanceof EditDecision.Replace replace) {
      return replace(seen, now, replace.next());
    }
    return editDecision == EditDecision.Keep.KEEP || remove(seen, now);
  }

  /** Replaces the items of a record, if they are as they were read. */
  private boolean replace(
      NameRecord seen, Map<String, Map<String, AttributeValue>> now, NameRecord next) {
    String writeId = UUID.randomUUID().toString();
    List<TransactWriteItem> writes = new ArrayList<>();
    Map<String, AttributeValue> meta = now.getOrDefault(AttributeNames.META, Map.of());
    Map<String, AttributeValue> nextMeta =
        merged(meta, itemCodec.meta(next, writeId), ItemCodec.KNOWN_OF_META);
    AttributeValue children = meta.get(AttributeNames.CHILDREN);
    if (children != null) {
      nextMeta.put(AttributeNames.CHILDREN, children);
    }
    writes.add(put(nextMeta, meta));
    ItemCodec.concernsOf(next.meta().kind())
        .forEach(
            concernAttributes ->
                writes.add(
                    write(
                        concernAttributes,
                        now.getOrDefault(concernAttributes.sk(), Map.of()),
                        seen,
                        next,
                        writeId)));
    return commit("change " + seen.address(), writes, writeId).isEmpty();
  }

  /** Returns the write of one concern's item; at least a check that the item stays as it is. */
  private TransactWriteItem write(
      ConcernAttributes concernAttributes,
      Map<String, AttributeValue> now,
      NameRecord seen,
      NameRecord next,
      String writeId) {
    Map<String, AttributeValue> wanted = itemCodec.concern(next, concernAttributes, writeId);
    if (now.isEmpty()) {
      return putNew(requestSender.table(), wanted);
    }
    boolean sameState =
        seen.concern(concernAttributes.concern()).equals(next.concern(concernAttributes.concern()));
    boolean sameMarks =
        ItemCodec.retracted(now) == next.meta().retracted()
            && (concernAttributes != ConcernAttributes.INDEX
                || seen.meta().indexRev() == next.meta().indexRev());
    if (sameState && sameMarks) {
      return EditReservation.isReserved(now)
          ? put(released(now), now)
          : check(concernAttributes, now);
    }
    Map<String, AttributeValue> item = merged(now, wanted, concernAttributes.stateAttributes());
    AttributeValue writer = now.get(AttributeNames.WRITE_ID);
    if (sameState && writer != null) {
      // The writer of the state may still be looking for its write id.
      item.put(AttributeNames.WRITE_ID, writer);
    }
    return put(item, now);
  }

  private static Map<String, AttributeValue> released(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> released = new HashMap<>(item);
    released.remove(AttributeNames.RESERVED_BY);
    return released;
  }

  /**
   * Removes the items of a record, if they are as they were read. That includes the children: a
   * branch that was made since the decision looked for branches counts as a change.
   */
  private boolean remove(NameRecord seen, Map<String, Map<String, AttributeValue>> now) {
    List<TransactWriteItem> deletes = new ArrayList<>();
    now.forEach(
        (sk, item) -> {
          if (sk.equals(AttributeNames.META) || isOfAConcern(sk)) {
            deletes.add(delete(item));
          }
        });
    String branch = seen.address().branch();
    sourceOf(seen)
        .filter(
            source -> childrenIn(requestSender.item(source, AttributeNames.META)).contains(branch))
        .ifPresent(source -> deletes.add(children(source, "DELETE ", branch)));
    return commit("remove " + seen.address(), deletes, UUID.randomUUID().toString()).isEmpty();
  }

  /** Returns the branches that were written down with the one they were made from. */
  static List<String> childrenIn(Map<String, AttributeValue> meta) {
    AttributeValue children = meta.get(AttributeNames.CHILDREN);
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
    Retry.Backoff backoff = requestSender.start();
    @Nullable OutcomeUnknownException doubt = null;
    while (true) {
      WriteOutcome writeOutcome = requestSender.transact(what, request);
      if (writeOutcome instanceof WriteOutcome.Written) {
        return Optional.empty();
      }
      if (writeOutcome instanceof WriteOutcome.ConditionFailed conditionFailed) {
        boolean ours = ItemCodec.isLastWrite(conditionFailed.old(), writeId);
        return ours ? Optional.empty() : Optional.of(conditionFailed.old());
      }
      if (writeOutcome instanceof WriteOutcome.Unknown unknown) {
        doubt = unknown.failure();
      }
      if (!backoff.pause()) {
        if (doubt != null) {
          throw doubt;
        }
        throw ((WriteOutcome.Unavailable) writeOutcome).failure();
      }
    }
  }

  /** Returns the old item with the known attributes replaced; attributes of other programs stay. */
  private static Map<String, AttributeValue> merged(
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
    ExpressionBuilder x = new ExpressionBuilder();
    String condition = ItemConditions.unchanged(x, now, knownOf(RequestSender.sk(now)));
    return TransactWriteItem.builder()
        .put(
            p ->
                p.tableName(requestSender.table())
                    .item(item)
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values())
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD))
        .build();
  }

  private TransactWriteItem check(
      ConcernAttributes concernAttributes, Map<String, AttributeValue> now) {
    ExpressionBuilder x = new ExpressionBuilder();
    String condition = ItemConditions.unchanged(x, now, concernAttributes.stateAttributes());
    return TransactWriteItem.builder()
        .conditionCheck(
            c ->
                c.tableName(requestSender.table())
                    .key(ItemCodec.key(RequestSender.pk(now), concernAttributes.sk()))
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values()))
        .build();
  }

  private TransactWriteItem delete(Map<String, AttributeValue> now) {
    ExpressionBuilder x = new ExpressionBuilder();
    String sk = RequestSender.sk(now);
    String condition = ItemConditions.unchanged(x, now, knownOf(sk));
    return TransactWriteItem.builder()
        .delete(
            d ->
                d.tableName(requestSender.table())
                    .key(ItemCodec.key(RequestSender.pk(now), sk))
                    .conditionExpression(condition)
                    .expressionAttributeNames(x.names())
                    .expressionAttributeValues(x.values()))
        .build();
  }

  private static List<String> knownOf(String sk) {
    return sk.equals(AttributeNames.META)
        ? ItemCodec.KNOWN_OF_META
        : ConcernAttributes.all()
            .filter(l -> l.sk().equals(sk))
            .findFirst()
            .orElseThrow()
            .stateAttributes();
  }
}
