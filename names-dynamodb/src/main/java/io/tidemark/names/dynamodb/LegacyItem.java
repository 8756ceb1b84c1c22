// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item that was a whole record, as tables had them before there was an item for each concern.
 *
 * <p>In the <i>single</i> form, of {@code v} 2, each concern is a watermark and a map: {@code
 * head_v} and {@code head} and so on, with an {@code address} where there is an id today. The
 * watermark of an index counted its publications; how far it has come is inside. Graph sources have
 * {@code vg:} before their address.
 *
 * <p>The <i>flat</i> form is older still, has no {@code v}, and ledgers only: scalars for the
 * commit, the index, the default context and the status.
 *
 * @param alias the item's key
 * @param cell the item and where it is
 */
record LegacyItem(String alias, ItemReader cell) {

  static final String SOURCE_PREFIX = "vg:";

  private static final String HEAD = "head";
  private static final String HEAD_V = "head_v";

  /** Before an attribute whose name means something else on the item meta. */
  private static final String RENAMED = "older_";

  private static final Set<String> OF_META =
      Stream.concat(
              ItemCodec.KNOWN_OF_META.stream(),
              Stream.of(
                  AttributeNames.PK,
                  AttributeNames.SK,
                  AttributeNames.SCHEMA,
                  AttributeNames.NAME,
                  AttributeNames.BRANCH))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> SINGLE =
      Set.of(
          "pk",
          "v",
          "type",
          "name",
          "branch",
          "deps",
          "created_at",
          "retracted",
          HEAD_V,
          HEAD,
          "index_v",
          "index",
          "status_v",
          "status",
          "config_v",
          "config");

  private static final Set<String> FLAT =
      Set.of(
          "pk",
          "v",
          "ledger_alias",
          "ledger_name",
          "branch",
          "commit_address",
          "commit_t",
          "index_address",
          "index_t",
          "default_context_address",
          "status",
          "updated_at");

  /** Returns the form in two words, for reports. */
  String form() {
    return single() ? "single item" : "flat item";
  }

  private boolean single() {
    return cell.number("v").filter(v -> v >= 2).isPresent();
  }

  /** Returns the text of the address, whether or not it can be one. */
  String addressText() {
    String text = alias.startsWith(SOURCE_PREFIX) ? alias.substring(SOURCE_PREFIX.length()) : alias;
    return text.indexOf(':') < 0 ? text + ":" + Address.MAIN : text;
  }

  /**
   * Attributes that have no place in a record, to be kept on its item meta. Where one has a name
   * that means something there, it gets another.
   */
  SortedMap<String, AttributeValue> unknown() {
    Set<String> known = single() ? SINGLE : FLAT;
    boolean headOfSource =
        single() && kind() == RecordKind.GRAPH_SOURCE && cell.object(HEAD).isPresent();
    SortedMap<String, AttributeValue> unknown = new TreeMap<>();
    cell.item()
        .forEach(
            (name, value) -> {
              boolean ofHead = name.equals(HEAD) || name.equals(HEAD_V);
              if (!known.contains(name) || (headOfSource && ofHead)) {
                unknown.put(OF_META.contains(name) ? RENAMED + name : name, value);
              }
            });
    return unknown;
  }

  /**
   * The record.
   *
   * @throws CorruptRecordException when it can't be understood
   */
  NameRecord record() {
    try {
      Address address = Address.parse(addressText());
      return single() ? single(address) : flat(address);
    } catch (CorruptRecordException e) {
      throw e;
    } catch (TidemarkException | IllegalArgumentException e) {
      throw cell.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  // The single form.

  private NameRecord single(Address address) {
    RecordKind recordKind = kind();
    Optional<SourceType> type =
        recordKind == RecordKind.LEDGER
            ? Optional.empty()
            : cell.string("type").map(SourceType::new);
    NameRecord.Meta meta =
        new NameRecord.Meta(
            recordKind,
            type,
            cell.strings("deps"),
            cell.number("created_at"),
            0,
            ItemCodec.retracted(cell.item()),
            Optional.empty(),
            0,
            cell.number("index_v").orElse(0L));
    return new NameRecord(
        address,
        meta,
        recordKind == RecordKind.LEDGER
            ? value(HEAD_V, cell.object(HEAD).map(LegacyItem::renamed), ConcernValue.UNBORN)
            : ConcernValue.UNBORN,
        cell.object("index").map(this::index).orElse(ConcernValue.UNBORN),
        value("status_v", cell.object("status"), ConcernAttributes.STATUS.initial()),
        value("config_v", cell.object("config"), ConcernValue.UNBORN));
  }

  private RecordKind kind() {
    String type =
        cell.string("type").orElseThrow(() -> cell.corrupt("it has no type, like ledger"));
    return type.equals("ledger") ? RecordKind.LEDGER : RecordKind.GRAPH_SOURCE;
  }

  /** Returns a state; what is missing of it is as at first. */
  private ConcernValue value(String watermark, Optional<ObjectNode> json, ConcernValue first) {
    long count = cell.number(watermark).orElse(json.isPresent() ? 1 : first.watermark());
    return new ConcernValue(count, json.map(Payload::of).or(first::payload));
  }

  private ConcernValue index(ObjectNode index) {
    if (index.has("address")) {
      ObjectNode pointer = renamed(index);
      return ConcernValue.of(pointer.path("sync_t").asLong(0), Payload.of(pointer));
    }
    long newest = 0;
    ObjectNode graphs = index.objectNode();
    for (var graph : index.properties()) {
      JsonNode pointer = graph.getValue();
      newest = Math.max(newest, pointer.path("t").asLong(0));
      graphs.set(graph.getKey(), pointer instanceof ObjectNode o ? renamed(o) : pointer);
    }
    return ConcernValue.of(newest, Payload.of(graphs));
  }

  /** Returns a pointer with its address renamed to an id. */
  private static ObjectNode renamed(ObjectNode pointer) {
    ObjectNode out = pointer.objectNode();
    pointer
        .properties()
        .forEach(
            field ->
                out.set(
                    field.getKey().equals("address") ? "id" : field.getKey(), field.getValue()));
    return out;
  }

  // The flat form.

  private NameRecord flat(Address address) {
    Optional<String> state = cell.string("status");
    Optional<Payload> index = FlureeScalars.read(cell, ConcernAttributes.INDEX, RecordKind.LEDGER);
    Optional<Payload> config =
        FlureeScalars.read(cell, ConcernAttributes.CONFIG, RecordKind.LEDGER);
    NameRecord.Meta meta =
        new NameRecord.Meta(
            RecordKind.LEDGER,
            Optional.empty(),
            List.of(),
            Optional.empty(),
            0,
            state.filter("retracted"::equals).isPresent(),
            Optional.empty(),
            0,
            index.isPresent() ? 1 : 0);
    return new NameRecord(
        address,
        meta,
        at("commit_t", FlureeScalars.read(cell, ConcernAttributes.HEAD, RecordKind.LEDGER)),
        at("index_t", index),
        new ConcernValue(
            1,
            FlureeScalars.read(cell, ConcernAttributes.STATUS, RecordKind.LEDGER)
                .or(ConcernAttributes.STATUS.initial()::payload)),
        new ConcernValue(config.isPresent() ? 1 : 0, config));
  }

  private ConcernValue at(String watermark, Optional<Payload> payload) {
    return new ConcernValue(cell.number(watermark).orElse(0L), payload);
  }
}
