// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.Address;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.remotes.Fetched;
import io.tidemark.remotes.Remote;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.Tracked;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
    return options.with(this::fetch);
  }

  private int fetch(Remotes remotes) {
    List<RemoteName> wanted =
        name != null ? List.of(name) : remotes.list().stream().map(Remote::name).toList();
    if (wanted.isEmpty()) {
      throw new RefusedException(
          "there are no remotes; 'tidemark remote add NAME LOCATION' makes one");
    }
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("REMOTE", "ADDRESS", "HEAD", "SINCE LAST TIME"));
    for (RemoteName each : wanted) {
      Fetched fetched = remotes.fetch(each);
      json.add(json(fetched));
      for (Tracked found : remotes.tracked(each)) {
        rows.add(
            List.of(
                each.text(),
                found.address().toString(),
                String.valueOf(found.commit().or(found::index).map(Ref::t).orElse(0L)),
                (fetched.updated().contains(found.address()) ? "updated" : "unchanged")
                    + (found.retracted() ? ", retracted" : "")));
      }
      fetched
          .pruned()
          .forEach(gone -> rows.add(List.of(each.text(), gone.toString(), "-", "gone")));
    }
    options.print(json, rows.size() == 1 ? "there are no names" : Table.aligned(rows));
    return ExitCodes.OK;
  }

  private static ObjectNode json(Fetched fetched) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("remote", fetched.remote().text());
    add(json.putArray("updated"), fetched.updated());
    add(json.putArray("unchanged"), fetched.unchanged());
    add(json.putArray("pruned"), fetched.pruned());
    return json;
  }

  private static void add(ArrayNode array, List<Address> addresses) {
    addresses.forEach(address -> array.add(address.toString()));
  }
}
