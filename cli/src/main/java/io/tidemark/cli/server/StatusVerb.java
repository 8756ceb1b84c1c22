// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.features.StorageChoice;
import io.tidemark.cli.terminal.Table;
import io.tidemark.events.NamespaceInfo;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.server.admin.StoreStatus;
import io.tidemark.server.admin.StoreStatus.Named;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
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
            + " indices lag behind, who holds a lock, how many events wait, and whether"
            + " transactions of features get their numbers.",
    footer = {
      "",
      "Examples:",
      "  tidemark status",
      "  tidemark status --data s3://bucket/prefix --limit 500 --json",
      "  tidemark status --server http://host:7700"
    })
public final class StatusVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many names. Default: 40")
  private int limit = 40;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit takes a number from 1");
    }
    return storage.names().with(this::show);
  }

  private int show(NameService names) {
    StoreStatus status = StoreStatus.of(names, limit);
    Optional<FeatureStatus> features = FeatureStatus.of(storage);
    ObjectNode json = status.json();
    json.set("features", features.<JsonNode>map(FeatureStatus::json).orElse(NullNode.instance));
    String line = System.lineSeparator();
    storage.print(json, text(status) + features.map(told -> line + line + told.text()).orElse(""));
    return ExitCodes.OK;
  }

  private static String text(StoreStatus status) {
    String line = System.lineSeparator();
    StringBuilder text = new StringBuilder(status.location()).append(line).append(line);
    if (status.names().isEmpty()) {
      text.append("no names; make one with 'tidemark ledger init NAME'");
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("NAME", "KIND", "STATE", "HEAD", "LAG", "LOCK"));
      for (Named each : status.names()) {
        rows.add(
            List.of(
                each.record().address().toString(),
                each.record().meta().kind().word(),
                each.state(),
                each.record().commit().id().isPresent()
                    ? Long.toString(each.record().commit().t())
                    : "-",
                each.lag().map(String::valueOf).orElse("-"),
                each.lock().map(StatusVerb::shown).orElse("-")));
      }
      text.append(Table.aligned(rows));
      text.append(status.more() ? line + "and more; --limit shows them" : "");
    }
    if (!status.queues().isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("EVENTS", "PENDING", "SESSIONS", "DEAD LETTERS"));
      for (NamespaceInfo queue : status.queues()) {
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
