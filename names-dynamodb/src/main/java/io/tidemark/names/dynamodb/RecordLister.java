// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Lister of records: their addresses come from the index by kind, a query a kind, and the records
 * from {@code BatchGetItem}, twenty at a time, while the stream is read.
 *
 * <p>The index follows the table with a delay, mostly of milliseconds. So a record that was just
 * created can be missing for a moment. What is listed is read from the table itself and up to date;
 * what is removed already isn't listed. Only a scan of the whole table could do without the index.
 */
final class RecordLister {

  /** So many items one request may name. */
  private static final int LARGEST_REQUEST = 100;

  /** Greater than every character of an address. */
  private static final String AFTER_ALL = "\uffff";

  /** Smaller than every character of an address. */
  private static final String NEXT = "\u0001";

  private final RequestSender requestSender;
  private final ItemCodec itemCodec;
  private final Optional<LegacyRecords> older;

  /** The sort keys under which a record may have something. */
  private final List<String> sks;

  RecordLister(RequestSender requestSender, ItemCodec itemCodec, Optional<LegacyRecords> older) {
    this.requestSender = requestSender;
    this.itemCodec = itemCodec;
    this.older = older;
    this.sks =
        Stream.of(
                Stream.of(AttributeNames.META),
                ConcernAttributes.all().map(ConcernAttributes::sk),
                older.map(LegacyRecords::mark).stream())
            .flatMap(part -> part)
            .toList();
  }

  Stream<NameRecord> list(String prefix, String startAfter) {
    boolean pastAll = startAfter.compareTo(prefix) > 0 && !startAfter.startsWith(prefix);
    if (pastAll) {
      return Stream.empty();
    }
    Iterator<String> here = addresses(prefix, startAfter);
    Iterator<NameRecord> records =
        older
            .map(behind -> new LegacyAddresses(behind, prefix, startAfter))
            .map(behind -> new Batches(new MergingIterator(here, behind), behind::record))
            .orElseGet(() -> new Batches(here, pk -> Optional.empty()));
    return stream(records);
  }

  /** Returns the addresses of this table's records, in order. */
  Stream<String> addresses() {
    return stream(addresses("", ""));
  }

  private Iterator<String> addresses(String prefix, String startAfter) {
    return new MergingIterator(
        new Addresses(RecordKind.LEDGER, prefix, startAfter),
        new Addresses(RecordKind.GRAPH_SOURCE, prefix, startAfter));
  }

  private static <T> Stream<T> stream(Iterator<T> iterator) {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator, traits), false);
  }

  /** The addresses of a kind, a page of the index at a time. */
  private final class Addresses implements Iterator<String> {
    private final QueryRequest.Builder request;
    private final ArrayDeque<String> page = new ArrayDeque<>();
    private boolean more = true;

    Addresses(RecordKind recordKind, String prefix, String startAfter) {
      ExpressionBuilder x = new ExpressionBuilder();
      String which = x.name(AttributeNames.KIND) + " = " + x.text(recordKind.text());
      if (startAfter.compareTo(prefix) >= 0 && !startAfter.isEmpty()) {
        which +=
            " AND "
                + x.name(AttributeNames.PK)
                + " BETWEEN "
                + x.text(startAfter + NEXT)
                + " AND "
                + x.text(prefix + AFTER_ALL);
      } else if (!prefix.isEmpty()) {
        which += " AND begins_with(" + x.name(AttributeNames.PK) + ", " + x.text(prefix) + ")";
      }
      request =
          QueryRequest.builder()
              .tableName(requestSender.table())
              .indexName(AttributeNames.KIND_INDEX)
              .keyConditionExpression(which)
              .projectionExpression(x.name(AttributeNames.PK))
              .expressionAttributeNames(x.names())
              .expressionAttributeValues(x.values());
    }

    @Override
    public boolean hasNext() {
      while (page.isEmpty() && more) {
        QueryResponse answer =
            requestSender.read("list " + requestSender.table(), c -> c.query(request.build()));
        answer.items().forEach(item -> page.add(RequestSender.pk(item)));
        more = answer.hasLastEvaluatedKey();
        request.exclusiveStartKey(more ? answer.lastEvaluatedKey() : null);
      }
      return !page.isEmpty();
    }

    @Override
    public String next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.remove();
    }
  }

  /** The records of addresses, read a batch at a time. */
  private final class Batches implements Iterator<NameRecord> {
    private final Iterator<String> addresses;
    private final Function<String, Optional<NameRecord>> otherwise;
    private final ArrayDeque<NameRecord> batch = new ArrayDeque<>();

    /**
     * @param otherwise what counts when there is nothing in this table, no mark either
     */
    Batches(Iterator<String> addresses, Function<String, Optional<NameRecord>> otherwise) {
      this.addresses = addresses;
      this.otherwise = otherwise;
    }

    @Override
    public boolean hasNext() {
      while (batch.isEmpty() && addresses.hasNext()) {
        List<String> pks = new ArrayList<>();
        while (pks.size() < LARGEST_REQUEST / sks.size() && addresses.hasNext()) {
          pks.add(addresses.next());
        }
        Map<String, Map<String, Map<String, AttributeValue>>> found = read(pks);
        pks.forEach(pk -> record(pk, found.getOrDefault(pk, Map.of())).ifPresent(batch::add));
      }
      return !batch.isEmpty();
    }

    private Optional<NameRecord> record(String pk, Map<String, Map<String, AttributeValue>> found) {
      boolean marked = older.filter(records -> found.containsKey(records.mark())).isPresent();
      Optional<NameRecord> record = itemCodec.record(pk, found);
      return record.isPresent() || marked ? record : otherwise.apply(pk);
    }

    @Override
    public NameRecord next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return batch.remove();
    }
  }

  /** Returns all items of some records, by address and sort key. */
  private Map<String, Map<String, Map<String, AttributeValue>>> read(List<String> pks) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    for (String pk : pks) {
      sks.forEach(sk -> keys.add(ItemCodec.key(pk, sk)));
    }
    Map<String, Map<String, Map<String, AttributeValue>>> found = new HashMap<>();
    List<Map<String, AttributeValue>> left = keys;
    Retry.Backoff backoff = requestSender.start();
    while (true) {
      List<Map<String, AttributeValue>> asked = left;
      BatchGetItemResponse answer =
          requestSender.read(
              "read the records from " + pks.get(0) + " on",
              c ->
                  c.batchGetItem(
                      get -> get.requestItems(Map.of(requestSender.table(), of(asked)))));
      for (Map<String, AttributeValue> item :
          answer.responses().getOrDefault(requestSender.table(), List.of())) {
        found
            .computeIfAbsent(RequestSender.pk(item), pk -> new HashMap<>())
            .put(RequestSender.sk(item), item);
      }
      KeysAndAttributes unprocessed = answer.unprocessedKeys().get(requestSender.table());
      if (unprocessed == null || unprocessed.keys().isEmpty()) {
        return found;
      }
      boolean progress = unprocessed.keys().size() < left.size();
      left = unprocessed.keys();
      if (!backoff.pause()) {
        throw new StoreUnavailableException(
            "can't list "
                + requestSender.table()
                + ": it leaves "
                + left.size()
                + " items unread"
                + (progress ? "" : " again and again")
                + ", which says that the table is throttled; try again later");
      }
    }
  }

  private static KeysAndAttributes of(List<Map<String, AttributeValue>> keys) {
    return KeysAndAttributes.builder().keys(keys).consistentRead(true).build();
  }
}
