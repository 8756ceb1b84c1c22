// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.RefusedException;
import io.tidemark.remotes.RemoteName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark fetch [REMOTE]}. */
@Command(
    description =
        "Looks which names there are on a remote and where they are, and remembers it. Nothing is"
            + " pulled.",
    footer = {
      "",
      "Examples:",
      "  tidemark fetch            What is new on all remotes",
      "  tidemark fetch origin",
      "  tidemark fetch --json"
    })
public final class FetchVerb implements Callable<Integer> {

  @Mixin private RemotesChoice options;

  @Parameters(
      arity = "0..1",
      paramLabel = "REMOTE",
      converter = RemoteNameConverter.class,
      description = "Which one. Default: all there are")
  private @Nullable RemoteName name;

  @Override
  public Integer call() {
    JsonNode found =
        options.answer(
            view ->
                fetch(
                    view::list,
                    each -> view.fetch(new RemoteName(each)),
                    each -> view.get(new RemoteName(each))),
            server -> fetch(server::list, server::fetch, server::get));
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("REMOTE", "ADDRESS", "HEAD", "SINCE LAST TIME"));
    for (JsonNode each : found) {
      json.add(each.path("fetched"));
      rows.addAll(rows(each.path("fetched"), each.path("known").path("tracked")));
    }
    options.print(json, rows.size() == 1 ? "there are no names" : Table.aligned(rows));
    return ExitCodes.OK;
  }

  /** What was fetched from each, and what is known of it since. */
  private JsonNode fetch(
      Supplier<JsonNode> list, Function<String, JsonNode> fetch, Function<String, JsonNode> get) {
    List<String> wanted = name != null ? List.of(name.text()) : list.get().findValuesAsText("name");
    if (wanted.isEmpty()) {
      throw new RefusedException(
          "there are no remotes; 'tidemark remote add NAME LOCATION' makes one");
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (String each : wanted) {
      ObjectNode one = all.addObject();
      one.set("fetched", fetch.apply(each));
      one.set("known", get.apply(each));
    }
    return all;
  }

  private static List<List<String>> rows(JsonNode fetched, JsonNode tracked) {
    String remote = fetched.path("remote").asText();
    Set<String> updated = new HashSet<>();
    fetched.path("updated").forEach(address -> updated.add(address.asText()));
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode found : tracked) {
      String address = found.path("address").asText();
      JsonNode head = found.path(found.path("commit_head").isNull() ? "index_head" : "commit_head");
      rows.add(
          List.of(
              remote,
              address,
              String.valueOf(head.path("t").asLong()),
              (updated.contains(address) ? "updated" : "unchanged")
                  + (found.path("retracted").asBoolean() ? ", retracted" : "")));
    }
    fetched.path("pruned").forEach(gone -> rows.add(List.of(remote, gone.asText(), "-", "gone")));
    return rows;
  }
}
