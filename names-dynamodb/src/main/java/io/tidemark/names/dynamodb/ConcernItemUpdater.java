// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.names.dynamodb.WriteIdCache.CachedState;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Writer of single concerns. Each change is one conditional {@code UpdateItem}, which returns the
 * current item when its condition doesn't hold.
 *
 * <p>That old item tells everything: whether the record is retracted, what the concern's state is,
 * and, by the write id in it, whether it was this very change that an earlier attempt had made
 * without our hearing of it. The condition is narrower than {@link ConcernChange#allows}: it knows
 * the present form of items, and one spelling of a payload. So when the old item turns out to allow
 * the change, the request is sent again on the condition that the item is still exactly that one.
 *
 * <p>After a lost answer the same request is sent again. If the first one was carried out the
 * second can't be, since it wouldn't be forward any more. It then finds either our write id or, if
 * other writers have moved the concern since, no trace; then the outcome stays unknown. An index
 * that is written anew at the same {@code t} could be written twice that way; there the item is
 * read back instead. What can't be told: a record that is reset, or purged and created anew,
 * between the two requests is changed by the second one although the first was carried out.
 */
final class ConcernItemUpdater {

  private final RequestSender requestSender;
  private final ItemCodec itemCodec;
  private final WriteIdCache states;
  private final Clock clock;

  ConcernItemUpdater(
      RequestSender requestSender, ItemCodec itemCodec, WriteIdCache states, Clock clock) {
    this.requestSender = requestSender;
    this.itemCodec = itemCodec;
    this.states = states;
    this.clock = clock;
  }

  Outcome apply(Address address, ConcernChange concernChange) {
    boolean hopeless =
        concernChange instanceof ConcernChange.Push push && !push.allows(push.expected());
    return new UpdateAttempt(address, concernChange).run(hopeless);
  }

  /** Change of one concern, with all its attempts. */
  private final class UpdateAttempt {
    private final Address address;
    private final String pk;
    private final ConcernChange concernChange;
    private final ConcernAttributes concernAttributes;
    private final String what;
    private final String writeId = UUID.randomUUID().toString();
    private final Retry.Backoff backoff = requestSender.start();

    /** By which write the expected state came about, if that is known. */
    private final Optional<String> lastWrite;

    /** Error of an earlier attempt that may have been carried out. */
    private @Nullable OutcomeUnknownException doubt;

    /** The item that allowed the change, when the first condition was too narrow to see it. */
    private @Nullable Map<String, AttributeValue> seen;

    private boolean itemIsLost;

    private final EditReservation.ReservationWait edits =
        new EditReservation.ReservationWait(requestSender);

    /** When the last request began. */
    private long moment;

    private @Nullable PayloadAttributes nextForm;

    /** Kind of the record, as far as that matters for how the change is written. */
    private @Nullable RecordKind recordKind;

    UpdateAttempt(Address address, ConcernChange concernChange) {
      this.address = address;
      this.pk = address.toString();
      this.concernChange = concernChange;
      this.concernAttributes = ConcernAttributes.of(concernChange.concern());
      this.what = "change the " + concernChange.concern().text() + " of " + address;
      this.lastWrite =
          concernChange instanceof ConcernChange.Push push
              ? states.lastWrite(pk, concernAttributes, push.expected())
              : Optional.empty();
    }

    Outcome run(boolean hopeless) {
      if (hopeless) {
        return judge();
      }
      while (true) {
        moment = states.nextMoment();
        WriteOutcome writeOutcome =
            itemIsLost
                ? requestSender.transact(what, recreate())
                : requestSender.update(what, update());
        Optional<Outcome> outcome = settle(writeOutcome);
        if (outcome.isPresent()) {
          return outcome.get();
        }
      }
    }

    /** For a change that no state allows: only what is there is of interest. */
    private Outcome judge() {
      Optional<NameRecord> record = itemCodec.record(pk, requestSender.items(pk));
      if (record.isEmpty() || !DynamoDbNameBackend.has(record.get(), concernChange.concern())) {
        return Missing.MISSING;
      }
      return record.get().meta().retracted()
          ? Retracted.RETRACTED
          : new Refused(record.get().concern(concernChange.concern()));
    }

    /** Returns the outcome; empty to try again. */
    private Optional<Outcome> settle(WriteOutcome writeOutcome) {
      if (writeOutcome instanceof WriteOutcome.Written) {
        states.recordWrite(
            pk,
            concernAttributes,
            nextForm(),
            new CachedState(concernChange.next(), writeId, moment));
        return Optional.of(new Applied(concernChange.next()));
      }
      if (writeOutcome instanceof WriteOutcome.Unavailable unavailable) {
        if (!backoff.pause()) {
          throw doubt != null ? doubt : unavailable.failure();
        }
        return Optional.empty();
      }
      if (writeOutcome instanceof WriteOutcome.Unknown unknown) {
        return onUnknownOutcome(unknown.failure());
      }
      return onConditionFailed(((WriteOutcome.ConditionFailed) writeOutcome).old());
    }

    private Optional<Outcome> onUnknownOutcome(OutcomeUnknownException failure) {
      doubt = failure;
      itemIsLost = false; // the next attempt finds out
      if (mayApplyTwice()) {
        if (ItemCodec.isLastWrite(requestSender.item(pk, concernAttributes.sk()), writeId)) {
          return Optional.of(new Applied(concernChange.next()));
        }
        throw failure;
      }
      if (!backoff.pause()) {
        throw failure;
      }
      return Optional.empty();
    }

    /**
     * Returns whether the change is still allowed after it was made and other writers have written
     * since.
     */
    private boolean mayApplyTwice() {
      return concernChange instanceof ConcernChange.Push push
          ? push.expected().watermark() == push.next().watermark()
          : concernChange.allows(concernChange.next());
    }

    private Optional<Outcome> onConditionFailed(Map<String, AttributeValue> old) {
      if (itemIsLost) { // somebody else has brought it back, or removed the record
        itemIsLost = false;
        return again();
      }
      if (old.isEmpty()) {
        return onMissingItem();
      }
      if (ItemCodec.isLastWrite(old, writeId)) {
        return Optional.of(new Applied(concernChange.next()));
      }
      if (ItemCodec.retracted(old)) {
        return Optional.of(certain(Retracted.RETRACTED));
      }
      ConcernValue actual = itemCodec.value(pk, concernAttributes, old, kindFor(old));
      if (!concernChange.allows(actual)) {
        String writer = RequestSender.string(old, AttributeNames.WRITE_ID);
        states.recordRead(pk, concernAttributes, old, new CachedState(actual, writer, moment));
        return Optional.of(certain(new Refused(actual)));
      }
      if (edits.isNeededFor(old)) {
        seen = null;
        return again();
      }
      boolean first = seen == null;
      seen = old;
      return first ? Optional.empty() : again();
    }

    private RecordKind kindFor(Map<String, AttributeValue> old) {
      return itemCodec.needsKind(pk, concernAttributes, old)
          ? itemCodec
              .record(pk, requestSender.items(pk))
              .map(r -> r.meta().kind())
              .orElse(RecordKind.LEDGER)
          : RecordKind.LEDGER;
    }

    /** There is no item: because there is no record, or because the item alone got lost. */
    private Optional<Outcome> onMissingItem() {
      Optional<NameRecord> record = itemCodec.record(pk, requestSender.items(pk));
      if (record.isEmpty() || !DynamoDbNameBackend.has(record.get(), concernChange.concern())) {
        return Optional.of(certain(Missing.MISSING));
      }
      if (record.get().meta().retracted()) {
        return Optional.of(certain(Retracted.RETRACTED));
      }
      ConcernValue actual = record.get().concern(concernChange.concern());
      if (!concernChange.allows(actual)) {
        return Optional.of(certain(new Refused(actual)));
      }
      itemIsLost = true;
      seen = null;
      return Optional.empty();
    }

    private Optional<Outcome> again() {
      if (!backoff.pause()) {
        if (doubt != null) {
          throw doubt;
        }
        throw ContentionException.of(address);
      }
      return Optional.empty();
    }

    /** Returns an outcome that says nothing was changed, which isn't known after a lost answer. */
    private Outcome certain(Outcome outcome) {
      if (doubt != null) {
        throw doubt;
      }
      return outcome;
    }

    private UpdateItemRequest update() {
      ExpressionBuilder x = new ExpressionBuilder();
      String condition = condition(x);
      return UpdateItemRequest.builder()
          .tableName(requestSender.table())
          .key(ItemCodec.key(pk, concernAttributes.sk()))
          .updateExpression(assignments(x))
          .conditionExpression(condition)
          .expressionAttributeNames(x.names())
          .expressionAttributeValues(x.values())
          .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
          .build();
    }

    private String condition(ExpressionBuilder x) {
      if (seen != null) {
        return ItemConditions.unchanged(x, seen, concernAttributes.stateAttributes());
      }
      return lastWrite.isPresent()
          ? ItemConditions.isUnchangedSince(
              x,
              concernAttributes,
              ((ConcernChange.Push) concernChange).expected(),
              lastWrite.get())
          : ItemConditions.allow(x, concernChange, this::form);
    }

    private String assignments(ExpressionBuilder x) {
      Map<String, AttributeValue> payload = nextForm().attributes();
      StringBuilder set = new StringBuilder("SET ");
      set.append(x.equal(AttributeNames.WRITE_ID, AttributeValue.fromS(writeId)));
      set.append(", ").append(x.equal(concernAttributes.watermark(), watermark()));
      set.append(", ")
          .append(x.equal(AttributeNames.UPDATED_AT_MS, ItemCodec.number(clock.millis())));
      payload.forEach((name, value) -> set.append(", ").append(x.equal(name, value)));
      if (seen != null) { // otherwise it is in this form, and has it
        set.append(", ").append(x.equal(AttributeNames.SCHEMA, ItemCodec.SCHEMA));
      }
      String separator = " REMOVE ";
      if (seen != null && EditReservation.isReserved(seen)) {
        set.append(separator).append(x.name(AttributeNames.RESERVED_BY));
        separator = ", ";
      }
      for (String name : possibleAttributes()) {
        if (!payload.containsKey(name)) {
          set.append(separator).append(x.name(name));
          separator = ", ";
        }
      }
      if (concernChange.concern() == Concern.INDEX) {
        set.append(" ADD ")
            .append(x.name(AttributeNames.INDEX_REV))
            .append(' ')
            .append(x.number(1));
      }
      return set.toString();
    }

    private AttributeValue watermark() {
      return ItemCodec.number(concernChange.next().watermark());
    }

    /** Returns the attributes of a payload that the item may have, by its condition. */
    private Collection<String> possibleAttributes() {
      if (seen == null && lastWrite.isPresent()) {
        return List.of(concernAttributes.payload());
      }
      return seen == null && concernChange instanceof ConcernChange.Push push
          ? form(push.expected()).attributes().keySet()
          : concernAttributes.payloadAttributes();
    }

    private Map<String, AttributeValue> item() {
      Map<String, AttributeValue> item = ItemCodec.common(address, concernAttributes.sk(), writeId);
      item.put(concernAttributes.watermark(), watermark());
      item.putAll(nextForm().attributes());
      item.put(AttributeNames.UPDATED_AT_MS, ItemCodec.number(clock.millis()));
      return item;
    }

    /** Returns how the new state is stored. */
    private PayloadAttributes nextForm() {
      PayloadAttributes known = nextForm;
      if (known == null) {
        known = form(concernChange.next());
        nextForm = known;
      }
      return known;
    }

    private PayloadAttributes form(ConcernValue value) {
      return PayloadAttributes.of(itemCodec.dialect(), concernAttributes, kind(), value);
    }

    /** Only configs in scalars differ in a way that their payload doesn't tell. */
    private RecordKind kind() {
      RecordKind known = recordKind;
      if (known == null) {
        boolean matters =
            concernAttributes == ConcernAttributes.CONFIG && itemCodec.dialect() == Dialect.FLUREE;
        boolean source =
            matters
                && ItemCodec.isOfKind(
                    requestSender.item(pk, AttributeNames.META), RecordKind.GRAPH_SOURCE);
        known = source ? RecordKind.GRAPH_SOURCE : RecordKind.LEDGER;
        recordKind = known;
      }
      return known;
    }

    /** Writes the item anew, if its record is still there and not retracted. */
    private TransactWriteItemsRequest recreate() {
      ExpressionBuilder onMeta = new ExpressionBuilder();
      String live = ItemConditions.live(onMeta);
      TransactWriteItem check =
          TransactWriteItem.builder()
              .conditionCheck(
                  c ->
                      c.tableName(requestSender.table())
                          .key(ItemCodec.key(pk, AttributeNames.META))
                          .conditionExpression(live)
                          .expressionAttributeNames(onMeta.names())
                          .expressionAttributeValues(onMeta.values()))
              .build();
      Map<String, AttributeValue> item = item();
      if (concernAttributes == ConcernAttributes.INDEX) {
        item.put(AttributeNames.INDEX_REV, ItemCodec.number(1));
      }
      return TransactWriteItemsRequest.builder()
          .transactItems(check, RecordTransactions.putNew(requestSender.table(), item))
          .build();
    }
  }
}
