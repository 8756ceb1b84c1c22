// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Kind;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameRecord;
import io.tidemark.names.dynamodb.SeenStates.Seen;
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
 * Changes of one concern, each one conditional {@code UpdateItem} that answers with the item as it
 * is when its condition doesn't hold.
 *
 * <p>That old item tells everything: whether the record is retracted, what the concern's state is,
 * and, by the write id in it, whether it was this very change that an earlier attempt had made
 * without our hearing of it. The condition is narrower than {@link Change#allows}: it knows the
 * present form of items, and one spelling of a payload. So when the old item turns out to allow the
 * change, the request is sent again on the condition that the item is still exactly that one.
 *
 * <p>After a lost answer the same request is sent again. If the first one was carried out the
 * second can't be, since it wouldn't be forward any more; it then finds either our write id or, if
 * others have moved on since, no trace, which is all that can be said. An index that is written
 * anew at the same {@code t} could be written twice that way; there the item is read back instead.
 * What can't be told: a record that is reset, or purged and created anew, between the two requests
 * is changed by the second one although the first was carried out.
 */
final class Changes {

  private final Requests requests;
  private final Items items;
  private final SeenStates states;
  private final Clock clock;

  Changes(Requests requests, Items items, SeenStates states, Clock clock) {
    this.requests = requests;
    this.items = items;
    this.states = states;
    this.clock = clock;
  }

  Outcome make(Address address, Change change) {
    boolean hopeless = change instanceof Change.Push push && !push.allows(push.expected());
    return new Run(address, change).go(hopeless);
  }

  /** One change, with all its attempts. */
  private final class Run {
    private final Address address;
    private final String pk;
    private final Change change;
    private final Layout layout;
    private final String what;
    private final String writeId = UUID.randomUUID().toString();
    private final Retry.Backoff backoff = requests.start();

    /** By which write the expected state came about, if that is known. */
    private final Optional<String> lastWrite;

    /** What was answered when it isn't known whether an earlier attempt was carried out. */
    private @Nullable OutcomeUnknownException doubt;

    /** The item that allowed the change, when the first condition was too narrow to see it. */
    private @Nullable Map<String, AttributeValue> seen;

    private boolean itemIsLost;

    private final EditReservation.Wait edits = new EditReservation.Wait(requests);

    /** When the last request began. */
    private long moment;

    private @Nullable PayloadForm nextForm;

    /** What kind of record it is, as far as that matters for how the change is written. */
    private @Nullable Kind kind;

    Run(Address address, Change change) {
      this.address = address;
      this.pk = address.toString();
      this.change = change;
      this.layout = Layout.of(change.concern());
      this.what = "change the " + change.concern().word() + " of " + address;
      this.lastWrite =
          change instanceof Change.Push push
              ? states.lastWrite(pk, layout, push.expected())
              : Optional.empty();
    }

    Outcome go(boolean hopeless) {
      if (hopeless) {
        return judge();
      }
      while (true) {
        moment = states.nextMoment();
        Answer answer =
            itemIsLost ? requests.transact(what, recreate()) : requests.update(what, update());
        Optional<Outcome> outcome = settle(answer);
        if (outcome.isPresent()) {
          return outcome.get();
        }
      }
    }

    /** For a change that no state allows: only what is there is of interest. */
    private Outcome judge() {
      Optional<NameRecord> record = items.record(pk, requests.items(pk));
      if (record.isEmpty() || !DynamoDbNameBackend.has(record.get(), change.concern())) {
        return Missing.MISSING;
      }
      return record.get().meta().retracted()
          ? Retracted.RETRACTED
          : new Refused(record.get().concern(change.concern()));
    }

    /** How it ended; empty to try again. */
    private Optional<Outcome> settle(Answer answer) {
      if (answer instanceof Answer.Done) {
        states.wrote(pk, layout, nextForm(), new Seen(change.next(), writeId, moment));
        return Optional.of(new Applied(change.next()));
      }
      if (answer instanceof Answer.Busy busy) {
        if (!backoff.pause()) {
          throw doubt != null ? doubt : busy.failure();
        }
        return Optional.empty();
      }
      if (answer instanceof Answer.Lost lost) {
        return lost(lost.failure());
      }
      return unmet(((Answer.Unmet) answer).old());
    }

    private Optional<Outcome> lost(OutcomeUnknownException failure) {
      doubt = failure;
      itemIsLost = false; // the next attempt finds out
      if (mightBeMadeTwice()) {
        if (Items.wroteLast(requests.item(pk, layout.sk()), writeId)) {
          return Optional.of(new Applied(change.next()));
        }
        throw failure;
      }
      if (!backoff.pause()) {
        throw failure;
      }
      return Optional.empty();
    }

    /** Whether the change is still allowed after it was made and others have written since. */
    private boolean mightBeMadeTwice() {
      return change instanceof Change.Push push
          ? push.expected().watermark() == push.next().watermark()
          : change.allows(change.next());
    }

    private Optional<Outcome> unmet(Map<String, AttributeValue> old) {
      if (itemIsLost) { // somebody else has brought it back, or removed the record
        itemIsLost = false;
        return again();
      }
      if (old.isEmpty()) {
        return withoutItem();
      }
      if (Items.wroteLast(old, writeId)) {
        return Optional.of(new Applied(change.next()));
      }
      if (Items.retracted(old)) {
        return Optional.of(certain(Retracted.RETRACTED));
      }
      ConcernValue actual = items.value(pk, layout, old, kindFor(old));
      if (!change.allows(actual)) {
        String writer = Requests.string(old, Attributes.WRITE_ID);
        states.read(pk, layout, old, new Seen(actual, writer, moment));
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

    private Kind kindFor(Map<String, AttributeValue> old) {
      return items.needsKind(pk, layout, old)
          ? items.record(pk, requests.items(pk)).map(r -> r.meta().kind()).orElse(Kind.LEDGER)
          : Kind.LEDGER;
    }

    /** There is no item: because there is no record, or because the item alone got lost. */
    private Optional<Outcome> withoutItem() {
      Optional<NameRecord> record = items.record(pk, requests.items(pk));
      if (record.isEmpty() || !DynamoDbNameBackend.has(record.get(), change.concern())) {
        return Optional.of(certain(Missing.MISSING));
      }
      if (record.get().meta().retracted()) {
        return Optional.of(certain(Retracted.RETRACTED));
      }
      ConcernValue actual = record.get().concern(change.concern());
      if (!change.allows(actual)) {
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

    /** An outcome that says nothing was changed, which isn't known after a lost answer. */
    private Outcome certain(Outcome outcome) {
      if (doubt != null) {
        throw doubt;
      }
      return outcome;
    }

    private UpdateItemRequest update() {
      Expression x = new Expression();
      String condition = condition(x);
      return UpdateItemRequest.builder()
          .tableName(requests.table())
          .key(Items.key(pk, layout.sk()))
          .updateExpression(assignments(x))
          .conditionExpression(condition)
          .expressionAttributeNames(x.names())
          .expressionAttributeValues(x.values())
          .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
          .build();
    }

    private String condition(Expression x) {
      if (seen != null) {
        return Conditions.unchanged(x, seen, layout.known());
      }
      return lastWrite.isPresent()
          ? Conditions.stillAs(x, layout, ((Change.Push) change).expected(), lastWrite.get())
          : Conditions.allow(x, change, this::form);
    }

    private String assignments(Expression x) {
      Map<String, AttributeValue> payload = nextForm().attributes();
      StringBuilder set = new StringBuilder("SET ");
      set.append(x.equal(Attributes.WRITE_ID, AttributeValue.fromS(writeId)));
      set.append(", ").append(x.equal(layout.watermark(), watermark()));
      set.append(", ").append(x.equal(Attributes.UPDATED_AT_MS, Items.number(clock.millis())));
      payload.forEach((name, value) -> set.append(", ").append(x.equal(name, value)));
      if (seen != null) { // otherwise it is in this form, and has it
        set.append(", ").append(x.equal(Attributes.SCHEMA, Items.SCHEMA));
      }
      String separator = " REMOVE ";
      if (seen != null && EditReservation.isReserved(seen)) {
        set.append(separator).append(x.name(Attributes.RESERVED_BY));
        separator = ", ";
      }
      for (String name : perhapsThere()) {
        if (!payload.containsKey(name)) {
          set.append(separator).append(x.name(name));
          separator = ", ";
        }
      }
      if (change.concern() == Concern.INDEX) {
        set.append(" ADD ").append(x.name(Attributes.INDEX_REV)).append(' ').append(x.number(1));
      }
      return set.toString();
    }

    private AttributeValue watermark() {
      return Items.number(change.next().watermark());
    }

    /** The attributes of a payload that the item may have, by its condition. */
    private Collection<String> perhapsThere() {
      if (seen == null && lastWrite.isPresent()) {
        return List.of(layout.payload());
      }
      return seen == null && change instanceof Change.Push push
          ? form(push.expected()).attributes().keySet()
          : layout.forms();
    }

    private Map<String, AttributeValue> item() {
      Map<String, AttributeValue> item = Items.common(address, layout.sk(), writeId);
      item.put(layout.watermark(), watermark());
      item.putAll(nextForm().attributes());
      item.put(Attributes.UPDATED_AT_MS, Items.number(clock.millis()));
      return item;
    }

    /** How the new state is stored. */
    private PayloadForm nextForm() {
      PayloadForm known = nextForm;
      if (known == null) {
        known = form(change.next());
        nextForm = known;
      }
      return known;
    }

    private PayloadForm form(ConcernValue value) {
      return PayloadForm.of(items.dialect(), layout, kind(), value);
    }

    /** Only configs in scalars differ in a way that their payload doesn't tell. */
    private Kind kind() {
      Kind known = kind;
      if (known == null) {
        boolean matters = layout == Layout.CONFIG && items.dialect() == Dialect.FLUREE;
        boolean source =
            matters && Items.isOf(requests.item(pk, Attributes.META), Kind.GRAPH_SOURCE);
        known = source ? Kind.GRAPH_SOURCE : Kind.LEDGER;
        kind = known;
      }
      return known;
    }

    /** Writes the item anew, if its record is still there and not retracted. */
    private TransactWriteItemsRequest recreate() {
      Expression onMeta = new Expression();
      String live = Conditions.live(onMeta);
      TransactWriteItem check =
          TransactWriteItem.builder()
              .conditionCheck(
                  c ->
                      c.tableName(requests.table())
                          .key(Items.key(pk, Attributes.META))
                          .conditionExpression(live)
                          .expressionAttributeNames(onMeta.names())
                          .expressionAttributeValues(onMeta.values()))
              .build();
      Map<String, AttributeValue> item = item();
      if (layout == Layout.INDEX) {
        item.put(Attributes.INDEX_REV, Items.number(1));
      }
      return TransactWriteItemsRequest.builder()
          .transactItems(check, Transactions.putNew(requests.table(), item))
          .build();
    }
  }
}
