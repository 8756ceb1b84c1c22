// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.api.remotes.FetchResult;
import io.tidemark.api.remotes.RemoteDetails.Tracked;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteSummary;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.remotes.RemoteName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
public final class FetchCommand implements Callable<Integer> {

  @Mixin private RemotesMixin options;

  @Parameters(
      arity = "0..1",
      paramLabel = "REMOTE",
      converter = RemoteNameConverter.class,
      description = "Which one. Default: all there are")
  private @Nullable RemoteName name;

  @Override
  public Integer call() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("REMOTE", "ADDRESS", "HEAD", "SINCE LAST TIME"));
    List<FetchResult> fetched = options.ask(remotes -> fetch(remotes, rows));
    return options.print(fetched, rows.size() == 1 ? "there are no names" : Table.aligned(rows));
  }

  private List<FetchResult> fetch(RemoteService remotes, List<List<String>> rows) {
    List<String> wanted =
        name != null
            ? List.of(name.text())
            : remotes.list().stream().map(RemoteSummary::name).toList();
    if (wanted.isEmpty()) {
      throw new RefusedException(
          "there are no remotes; 'tidemark remote add NAME LOCATION' makes one");
    }
    List<FetchResult> all = new ArrayList<>();
    for (String each : wanted) {
      FetchResult fetched = remotes.fetch(each);
      all.add(fetched);
      rows.addAll(rows(fetched, remotes.get(each).tracked()));
    }
    return all;
  }

  private static List<List<String>> rows(FetchResult fetched, List<Tracked> tracked) {
    Set<String> updated = Set.copyOf(fetched.updated());
    List<List<String>> rows = new ArrayList<>();
    for (Tracked found : tracked) {
      long head = found.commitHead().or(found::indexHead).map(Ref::t).orElse(0L);
      rows.add(
          List.of(
              fetched.remote(),
              found.address(),
              String.valueOf(head),
              (updated.contains(found.address()) ? "updated" : "unchanged")
                  + (found.retracted() ? ", retracted" : "")));
    }
    fetched.pruned().forEach(gone -> rows.add(List.of(fetched.remote(), gone, "-", "gone")));
    return rows;
  }
}
