// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.Table;
import io.tidemark.events.BusOptions;
import io.tidemark.events.EventBus;
import io.tidemark.events.NamespaceInfo;
import io.tidemark.events.view.EventView;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.objects.ObjectStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark status}. */
@Command(
    description =
        "Shows on one screen what there is: ledgers and graph sources with their heads, how far"
            + " indices lag behind, who holds a lock, and how many events wait.",
    footer = {
      "",
      "Examples:",
      "  tidemark status",
      "  tidemark status --data s3://bucket/prefix --limit 500 --json"
    })
public final class StatusVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamesOptions options;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many names. Default: 40")
  private int limit = 40;

  /** A record, and the lock on it. */
  private record Named(NameRecord record, Optional<Lock> lock) {

    /** By how many commits the index is behind; empty for what has none. */
    Optional<Long> lag() {
      boolean both =
          record.meta().kind() == Kind.LEDGER
              && record.commit().id().isPresent()
              && record.indexed().id().isPresent();
      return both
          ? Optional.of(Math.max(0, record.commit().t() - record.indexed().t()))
          : Optional.empty();
    }
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit takes a number from 1");
    }
    return options.with(this::show);
  }

  private int show(NameService names) {
    List<Named> found = new ArrayList<>();
    try (Stream<NameRecord> records = names.list(RecordFilter.all().atMost(limit + 1L))) {
      records.forEach(record -> found.add(new Named(record, lock(names, record))));
    }
    boolean more = found.size() > limit;
    List<Named> shown = more ? found.subList(0, limit) : found;
    List<NamespaceInfo> queues = names.objects().map(StatusVerb::queues).orElse(List.of());
    options.print(json(names, shown, more, queues), text(names, shown, more, queues));
    return ExitCodes.OK;
  }

  private static Optional<Lock> lock(NameService names, NameRecord record) {
    SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(1));
    boolean mentioned =
        record.status().payload().map(p -> p.toJson().contains("_lock\":")).orElse(false);
    if (!mentioned || record.meta().retracted()) {
      return Optional.empty();
    }
    return Stream.of(Purpose.values())
        .flatMap(purpose -> locks.find(record.address(), purpose).stream())
        .filter(lock -> lock.expiresAt() > Instant.now().getEpochSecond())
        .findFirst();
  }

  private static List<NamespaceInfo> queues(ObjectStore store) {
    try (EventBus bus = EventBus.open(store, "", BusOptions.standard())) {
      return bus.namespaces();
    }
  }

  private static ObjectNode json(
      NameService names, List<Named> found, boolean more, List<NamespaceInfo> queues) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("data", names.location());
    ArrayNode list = json.putArray("names");
    for (Named each : found) {
      ObjectNode one =
          list.addObject()
              .put("address", each.record().address().toString())
              .put("kind", each.record().meta().kind().word())
              .put("state", state(each.record()))
              .put("head", each.record().commit().t());
      each.lag().ifPresentOrElse(lag -> one.put("lag", lag), () -> one.putNull("lag"));
      one.put("lock", each.lock().map(Lock::holder).orElse(null));
    }
    json.put("more", more);
    ArrayNode namespaces = json.putArray("events");
    queues.forEach(queue -> namespaces.add(EventView.json(queue)));
    return json;
  }

  private static String state(NameRecord record) {
    return record.meta().retracted()
        ? "retracted"
        : record.status().payload().flatMap(p -> p.string("state")).orElse("?");
  }

  private String text(
      NameService names, List<Named> found, boolean more, List<NamespaceInfo> queues) {
    String line = System.lineSeparator();
    StringBuilder text = new StringBuilder(names.location()).append(line).append(line);
    if (found.isEmpty()) {
      text.append("no names; make one with 'tidemark ledger init NAME'");
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("NAME", "KIND", "STATE", "HEAD", "LAG", "LOCK"));
      for (Named each : found) {
        rows.add(
            List.of(
                each.record().address().toString(),
                each.record().meta().kind().word(),
                state(each.record()),
                each.record().commit().id().isPresent()
                    ? Long.toString(each.record().commit().t())
                    : "-",
                each.lag().map(String::valueOf).orElse("-"),
                each.lock().map(StatusVerb::shown).orElse("-")));
      }
      text.append(Table.aligned(rows));
      text.append(more ? line + "and more; --limit shows them" : "");
    }
    if (!queues.isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("EVENTS", "PENDING", "SESSIONS", "DEAD LETTERS"));
      for (NamespaceInfo queue : queues) {
        rows.add(
            List.of(
                queue.namespace(),
                Long.toString(queue.pendingEvents()),
                Long.toString(queue.activeSessions()),
                Long.toString(queue.deadLetters())));
      }
      text.append(line).append(line).append(Table.aligned(rows));
    }
    return text.toString();
  }

  private static String shown(Lock lock) {
    String progress =
        lock.progress().isPresent()
            ? String.format(Locale.ROOT, ", %.0f %%", lock.progress().getAsDouble() * 100)
            : "";
    return lock.holder() + " until " + Instant.ofEpochSecond(lock.expiresAt()) + progress;
  }
}
