// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.objects.UnsupportedStoreException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * A table in which a record was one item; see {@link LegacyItem}. Its key is {@code pk} alone or
 * {@code ledger_alias}, so it can't be the table that is written now. Nothing here writes to it.
 */
final class LegacyTable {

  private static final String FLAT_KEY = "ledger_alias";

  private final RequestSender requestSender;

  /** The name of its key, once that is known. */
  private volatile @Nullable String key;

  /**
   * @param requestSender to the older table
   */
  LegacyTable(RequestSender requestSender) {
    this.requestSender = requestSender;
  }

  String name() {
    return requestSender.table();
  }

  /** Returns the item of a record, if it had one here. */
  Optional<LegacyItem> find(Address address) {
    for (String alias : aliases(address)) {
      Map<String, AttributeValue> item = item(alias);
      if (!item.isEmpty()) {
        return Optional.of(item(alias, item));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns how an address may be spelled here; where there are several items, the first counts.
   */
  private List<String> aliases(Address address) {
    String text = address.toString();
    if (!key().equals(FLAT_KEY)) {
      return List.of(text, LegacyItem.SOURCE_PREFIX + text);
    }
    return address.branch().equals(Address.MAIN) ? List.of(text, address.name()) : List.of(text);
  }

  private Map<String, AttributeValue> item(String alias) {
    Map<String, AttributeValue> where = Map.of(key(), AttributeValue.fromS(alias));
    return requestSender.read(
        "read " + alias + " in the older table " + name(),
        c -> c.getItem(get -> get.tableName(name()).key(where).consistentRead(true)).item());
  }

  private LegacyItem item(String alias, Map<String, AttributeValue> item) {
    return new LegacyItem(alias, new ItemReader(name(), alias, "", item));
  }

  /** Returns all items, in no order, a page at a time. */
  Stream<LegacyItem> all() {
    int traits = Spliterator.NONNULL | Spliterator.DISTINCT;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Pages(), traits), false);
  }

  /** Returns the name of the key, which the table is asked for once. */
  private String key() {
    String known = key;
    if (known == null) {
      List<KeySchemaElement> schema =
          requestSender
              .read(
                  "look at the older table " + name(),
                  c -> c.describeTable(d -> d.tableName(name())))
              .table()
              .keySchema();
      known = requireKey(schema.stream().map(KeySchemaElement::attributeName).toList());
      key = known;
    }
    return known;
  }

  private String requireKey(List<String> names) {
    if (names.equals(List.of(AttributeNames.PK)) || names.equals(List.of(FLAT_KEY))) {
      return names.get(0);
    }
    String remedy =
        names.contains(AttributeNames.SK)
            ? "it is no older table; open it by its own location instead"
            : "an older table has the key pk alone, or ledger_alias; correct migrate-from";
    throw new UnsupportedStoreException(
        "the table " + name() + " can't be migrated from: its key is " + names + "; " + remedy);
  }

  private final class Pages implements Iterator<LegacyItem> {
    private final ArrayDeque<LegacyItem> page = new ArrayDeque<>();
    private final ScanRequest.Builder request =
        ScanRequest.builder().tableName(name()).consistentRead(true);
    private boolean more = true;

    @Override
    public boolean hasNext() {
      while (page.isEmpty() && more) {
        String alias = key();
        ScanResponse answer =
            requestSender.read("list the older table " + name(), c -> c.scan(request.build()));
        answer.items().forEach(item -> page.add(item(RequestSender.string(item, alias), item)));
        more = answer.hasLastEvaluatedKey();
        request.exclusiveStartKey(more ? answer.lastEvaluatedKey() : null);
      }
      return !page.isEmpty();
    }

    @Override
    public LegacyItem next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.remove();
    }
  }
}
