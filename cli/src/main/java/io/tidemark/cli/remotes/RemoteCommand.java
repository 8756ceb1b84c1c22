// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.api.remotes.RemoteLocation;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteSummary;
import io.tidemark.api.remotes.RemoteSummary.Follower;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.remotes.RemoteName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark remote add|remove|list}. */
@Command(
    description = "Names other stores, which ledgers are pulled from and pushed to.",
    subcommands = {
      RemoteCommand.Add.class,
      RemoteCommand.Remove.class,
      RemoteCommand.Listing.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark remote add origin s3://bucket/prefix",
      "  tidemark remote add laptop /mnt/laptop/tidemark-data",
      "  tidemark remote list",
      "  tidemark remote list --server http://host:7700     Those of a server",
      "  tidemark remote remove laptop"
    })
public final class RemoteCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: add, remove or list");
  }

  @Command(
      name = "add",
      description =
          "Names another store. Nothing is asked of it yet. Credentials are no part of the"
              + " location; they come from the environment, as those of --data do.",
      footer = {
        "",
        "Exit code 6: the name is that of another store.",
        "",
        "Examples:",
        "  tidemark remote add origin s3://bucket/prefix",
        "  tidemark remote add laptop ../laptop/tidemark-data"
      })
  static final class Add implements Callable<Integer> {
    @Mixin private RemotesMixin options;

    @Parameters(
        index = "0",
        paramLabel = "NAME",
        converter = RemoteNameConverter.class,
        description = "What to call it.")
    private RemoteName name;

    @Parameters(
        index = "1",
        paramLabel = "LOCATION",
        description = "Where its names are: what --data would say.")
    private String location;

    @Override
    public Integer call() {
      RemoteLocation added = options.ask(remotes -> remotes.add(name.text(), location));
      return options.print(added, name + " is " + TerminalEscaping.escapeLine(added.location()));
    }
  }

  @Command(
      name = "remove",
      description =
          "Forgets a remote, what was found there, and that anything is pulled from it. Nothing"
              + " that was pulled goes.",
      footer = {"", "Examples:", "  tidemark remote remove laptop"})
  static final class Remove implements Callable<Integer> {
    @Mixin private RemotesMixin options;

    @Parameters(
        paramLabel = "NAME",
        converter = RemoteNameConverter.class,
        description = "What it is called.")
    private RemoteName name;

    @Override
    public Integer call() {
      return options.print(options.ask(remotes -> remotes.remove(name.text())), "forgot " + name);
    }
  }

  @Command(
      name = "list",
      description = "Lists remotes, and what is pulled from them.",
      footer = {"", "Examples:", "  tidemark remote list", "  tidemark remote list --json"})
  static final class Listing implements Callable<Integer> {
    @Mixin private RemotesMixin options;

    @Override
    public Integer call() {
      List<RemoteSummary> remotes = options.ask(RemoteService::list);
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("REMOTE", "LOCATION", "FOLLOWED BY"));
      for (RemoteSummary remote : remotes) {
        rows.add(
            List.of(
                remote.name(),
                TerminalEscaping.escapeLine(remote.location()),
                followers(remote.upstreams())));
      }
      return options.print(
          remotes,
          remotes.isEmpty()
              ? "no remotes; 'tidemark remote add NAME LOCATION' makes one"
              : Table.aligned(rows));
    }

    private static String followers(List<Follower> upstreams) {
      return upstreams.isEmpty()
          ? "-"
          : upstreams.stream().map(Listing::text).collect(Collectors.joining(", "));
    }

    private static String text(Follower each) {
      return each.local().equals(each.there())
          ? each.local()
          : each.local() + " (" + each.there() + ")";
    }
  }
}
