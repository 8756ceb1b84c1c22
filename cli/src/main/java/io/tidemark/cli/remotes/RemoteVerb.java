// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Table;
import io.tidemark.remotes.Remote;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.UnknownRemoteException;
import io.tidemark.remotes.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark remote add|remove|list}. */
@Command(
    description = "Names other stores, which ledgers are pulled from and pushed to.",
    subcommands = {RemoteVerb.Add.class, RemoteVerb.Remove.class, RemoteVerb.Listing.class},
    footer = {
      "",
      "Examples:",
      "  tidemark remote add origin s3://bucket/prefix",
      "  tidemark remote add laptop /mnt/laptop/tidemark-data",
      "  tidemark remote list",
      "  tidemark remote remove laptop"
    })
public final class RemoteVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: add, remove or list");
  }

  private static ObjectNode json(Remote remote) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", remote.name().text())
        .put("location", remote.location());
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
    @Mixin private RemotesChoice options;

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
      return options.with(
          remotes -> {
            Remote remote = remotes.add(name, location);
            options.print(json(remote), remote.name() + " is " + Plain.line(remote.location()));
            return ExitCodes.OK;
          });
    }
  }

  @Command(
      name = "remove",
      description =
          "Forgets a remote, what was found there, and that anything is pulled from it. Nothing"
              + " that was pulled goes.",
      footer = {"", "Examples:", "  tidemark remote remove laptop"})
  static final class Remove implements Callable<Integer> {
    @Mixin private RemotesChoice options;

    @Parameters(
        paramLabel = "NAME",
        converter = RemoteNameConverter.class,
        description = "What it is called.")
    private RemoteName name;

    @Override
    public Integer call() {
      return options.with(
          remotes -> {
            if (!remotes.remove(name)) {
              throw new UnknownRemoteException(name);
            }
            options.print(
                JsonNodeFactory.instance.objectNode().put("removed", name.text()),
                "forgot " + name);
            return ExitCodes.OK;
          });
    }
  }

  @Command(
      name = "list",
      description = "Lists remotes, and what is pulled from them.",
      footer = {"", "Examples:", "  tidemark remote list", "  tidemark remote list --json"})
  static final class Listing implements Callable<Integer> {
    @Mixin private RemotesChoice options;

    @Override
    public Integer call() {
      return options.with(this::list);
    }

    private int list(Remotes remotes) {
      List<Upstream> upstreams = remotes.upstreams();
      ArrayNode json = JsonNodeFactory.instance.arrayNode();
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("REMOTE", "LOCATION", "FOLLOWED BY"));
      for (Remote remote : remotes.list()) {
        List<Upstream> its =
            upstreams.stream().filter(each -> each.remote().equals(remote.name())).toList();
        ObjectNode shown = json(remote);
        ArrayNode followers = shown.putArray("upstreams");
        its.forEach(
            each ->
                followers
                    .addObject()
                    .put("local", each.local().toString())
                    .put("there", each.there().toString()));
        json.add(shown);
        rows.add(List.of(remote.name().text(), remote.location(), text(its)));
      }
      options.print(
          json,
          json.isEmpty()
              ? "no remotes; 'tidemark remote add NAME LOCATION' makes one"
              : Table.aligned(rows));
      return ExitCodes.OK;
    }

    private static String text(List<Upstream> upstreams) {
      return upstreams.isEmpty()
          ? "-"
          : String.join(", ", upstreams.stream().map(Listing::text).toList());
    }

    private static String text(Upstream upstream) {
      return upstream.local().equals(upstream.there())
          ? upstream.local().toString()
          : upstream.local() + " (" + upstream.there() + ")";
    }
  }
}
