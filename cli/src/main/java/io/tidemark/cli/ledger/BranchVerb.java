// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.Tidemark;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.BranchEntry;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.names.RecordFormatter;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Ref;
import io.tidemark.names.view.DropJson;
import io.tidemark.names.view.RecordJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark branch create|list|drop}. */
@Command(
    description = "Makes, lists and drops branches of a ledger.",
    subcommands = {BranchVerb.Create.class, BranchVerb.Listing.class, BranchVerb.Drop.class},
    footer = {
      "",
      "Examples:",
      "  tidemark branch create mydb dev",
      "  tidemark branch create mydb:dev fix --at 17",
      "  tidemark branch create names-only dev --at-id bagay... --at-t 17",
      "  tidemark branch list mydb",
      "  tidemark branch drop mydb:dev"
    })
public final class BranchVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: create, list or drop");
  }

  private static boolean hasLedger(Tidemark tidemark, Address address) {
    return new NamedBranches(tidemark.names(), LedgerOptions.standard()).hasLedger(address);
  }

  @Command(
      name = "create",
      description = "Makes a branch at a ledger's head, or at a commit.",
      footer = {
        "",
        "Examples:",
        "  tidemark branch create mydb dev",
        "  tidemark branch create mydb:dev fix --at 17",
        "  tidemark branch create names-only dev --at-id bagay... --at-t 17"
      })
  static final class Create implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private NamesOptions options;

    @Parameters(
        index = "0",
        paramLabel = "SOURCE",
        converter = AddressConverter.class,
        description = "What to branch from: name or name:branch.")
    private Address source;

    @Parameters(index = "1", paramLabel = "BRANCH", description = "What to call the branch.")
    private String branch;

    @Option(
        names = "--at",
        paramLabel = "COMMIT",
        description = "The commit to start at. Default: the newest")
    private @Nullable Long commit;

    @Option(
        names = "--at-id",
        paramLabel = "ID",
        description = "The same for a name that has no ledger here: the commit's id.")
    private @Nullable String id;

    @Option(names = "--at-t", paramLabel = "T", description = "That commit's t.")
    private @Nullable Long t;

    @Override
    public Integer call() {
      Optional<Ref> at = at();
      return StoppableTidemark.run(
          options,
          limit -> {},
          tidemark -> {
            NameRecord record =
                hasLedger(tidemark, source) ? inLedger(tidemark, at) : named(tidemark.names(), at);
            options.print(RecordJson.of(record), RecordFormatter.text(record));
            return ExitCodes.OK;
          });
    }

    private NameRecord named(NameService names, Optional<Ref> at) {
      if (commit != null) {
        throw new ParameterException(
            spec.commandLine(),
            source + " has no ledger here that --at could mean; give --at-id and --at-t");
      }
      return names.branches().create(source, branch, at);
    }

    private NameRecord inLedger(Tidemark tidemark, Optional<Ref> at) {
      if (at.isPresent()) {
        throw new ParameterException(
            spec.commandLine(), source + " has a ledger, whose commits have numbers; give --at");
      }
      OptionalLong begin = commit == null ? OptionalLong.empty() : OptionalLong.of(commit);
      BranchEntry made =
          tidemark.ledger(source.toString()).branches().create(new BranchRequest(branch, begin));
      return tidemark.names().find(Address.parse(made.ledger())).orElseThrow();
    }

    private Optional<Ref> at() {
      if (id != null && t != null && t > 0) {
        return Optional.of(Ref.of(id, t));
      }
      if (id != null || t != null) {
        throw new ParameterException(
            spec.commandLine(), "a commit needs both --at-id and its --at-t, from 1");
      }
      return Optional.empty();
    }
  }

  @Command(
      name = "list",
      description = "Lists the branches of a name that aren't retracted.",
      footer = {
        "",
        "Examples:",
        "  tidemark branch list mydb",
        "  tidemark branch list mydb --json"
      })
  static final class Listing implements Callable<Integer> {
    @Mixin private NamesOptions options;

    @Parameters(
        paramLabel = "NAME",
        converter = AddressConverter.class,
        description = "The name whose branches to list.")
    private Address address;

    @Override
    public Integer call() {
      return options.with(
          names -> {
            List<NameRecord> records = names.branches().list(address.name());
            if (records.isEmpty() && names.find(Address.parse(address.name())).isEmpty()) {
              throw new NotFoundException(
                  "there is no " + address.name() + "; 'tidemark list' shows what there is");
            }
            ArrayNode json = JsonNodeFactory.instance.arrayNode();
            records.forEach(record -> json.add(RecordJson.of(record)));
            String text = records.isEmpty() ? "no branches" : RecordFormatter.table(records);
            options.print(json, text + unnamed(names));
            return 0;
          });
    }

    private String unnamed(NameService names) {
      NamedBranches ledgers = new NamedBranches(names, LedgerOptions.standard());
      List<String> unnamed =
          ledgers.hasLedger(address)
              ? ledgers.unnamed(address).stream().map(branch -> branch.name().text()).toList()
              : List.of();
      return unnamed.isEmpty()
          ? ""
          : System.lineSeparator()
              + "without a name, to be made or dropped again: "
              + String.join(", ", unnamed);
    }
  }

  @Command(
      name = "drop",
      description = {
        "Drops a branch: at once if none was made from it, else with the last of those."
            + " A drop that was broken off is finished by doing it again, or by --unfinished."
      },
      footer = {
        "",
        "Exit code 7: it is the root, which only 'retract' and 'purge' take away.",
        "",
        "Examples:",
        "  tidemark branch drop mydb:dev",
        "  tidemark branch drop mydb --unfinished"
      })
  static final class Drop implements Callable<Integer> {
    @Mixin private NamesOptions options;

    @Parameters(
        paramLabel = "ADDRESS",
        converter = AddressConverter.class,
        description = "name:branch")
    private Address address;

    @Option(
        names = "--unfinished",
        description = "Only finish the drops of branches of this name that a process broke off.")
    private boolean unfinished;

    @Override
    public Integer call() {
      return StoppableTidemark.run(
          options, limit -> {}, tidemark -> unfinished ? finish(tidemark) : drop(tidemark));
    }

    private int drop(Tidemark tidemark) {
      JsonNode drop =
          hasLedger(tidemark, address)
              ? WireJson.tree(branches(tidemark).drop(address.branch()))
              : DropJson.of(address, tidemark.names().branches().drop(address));
      String word = drop.path("outcome").asText().replace('_', ' ');
      options.print(drop, address + ": " + word + also(drop) + retracted(drop));
      return ExitCodes.OK;
    }

    private LedgerBranches branches(Tidemark tidemark) {
      return tidemark.ledger(address.toString()).branches();
    }

    private int finish(Tidemark tidemark) {
      JsonNode done =
          hasLedger(tidemark, address)
              ? WireJson.tree(branches(tidemark).finishDrops())
              : options
                  .server()
                  .map(this::finishByServer)
                  .orElseGet(() -> finishNames(tidemark.names()));
      List<String> gone = texts(done.path("dropped"));
      String text = gone.isEmpty() ? "no unfinished drops" : "dropped " + String.join(", ", gone);
      options.print(done, address.name() + ": " + text + retracted(done));
      return ExitCodes.OK;
    }

    private JsonNode finishNames(NameService names) {
      String name = address.name();
      return DropJson.of(
          name, names.branches().finishDrops(name), names.branches().unfinished(name));
    }

    /** Finishes all at once: in separate steps, a token might permit only the first ones. */
    private JsonNode finishByServer(String server) {
      return ServerConnection.open(server)
          .send(
              ServerRequest.of("POST", "v1", "names", address.toString(), "drop")
                  .query("unfinished", "true"))
          .orThrow()
          .json();
    }

    private static String also(JsonNode drop) {
      List<String> gone = texts(drop.path("cascaded"));
      return gone.isEmpty() ? "" : ", and with it " + String.join(", ", gone);
    }

    /**
     * Returns hints on retracted branches that are left over: earlier versions didn't record which
     * branches were to be dropped with their last branch.
     */
    private static String retracted(JsonNode drop) {
      StringBuilder lines = new StringBuilder();
      for (String left : texts(drop.path("retracted"))) {
        lines
            .append(System.lineSeparator())
            .append(left)
            .append(" is retracted and has no branches: drop it with 'tidemark branch drop ")
            .append(left)
            .append("', or leave it to be restored");
      }
      return lines.toString();
    }

    private static List<String> texts(JsonNode array) {
      List<String> texts = new ArrayList<>();
      array.forEach(each -> texts.add(each.asText()));
      return texts;
    }
  }
}
