// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.AdoptResult;
import io.tidemark.api.ledger.InitPlan;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.InitResult;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.Address;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark ledger init|info}. */
@Command(
    description = "Makes ledgers, opens those that exist under a name, and says how they are.",
    subcommands = {LedgerCommand.Init.class, LedgerCommand.Open.class, InfoCommand.class},
    footer = {
      "",
      "Examples:",
      "  tidemark ledger init crm",
      "  tidemark ledger init crm --objects s3://bucket/crm",
      "  tidemark ledger open crm --objects s3://bucket/crm",
      "  tidemark ledger info crm --stats"
    })
public final class LedgerCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: init, open or info");
  }

  @Command(
      name = "init",
      description =
          "Makes an empty ledger. Its name is created if there is none, and its config says where"
              + " the objects are. By force it begins anew where there is a ledger, whose commits"
              + " nobody will find any more.",
      footer = {
        "",
        "Examples:",
        "  tidemark ledger init crm",
        "  tidemark ledger init crm --objects s3://bucket/crm",
        "  tidemark ledger init crm --dry-run                What would be written, and the token",
        "  tidemark ledger init crm --force --token TOKEN    Begin anew"
      })
  static final class Init implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private NamesOptions options;

    @Parameters(
        paramLabel = "NAME",
        converter = AddressConverter.class,
        description = "What the ledger is called.")
    private Address address;

    @Option(
        names = "--objects",
        paramLabel = "URI",
        description = {
          "Where its objects are to be: a path, s3://bucket/prefix,",
          "or a path in the store of the names that ends with '/'.",
          "Default: ledgers/NAME/ in the store of the names"
        })
    private @Nullable String objects;

    @Option(names = "--dry-run", description = "Only say what would be done.")
    private boolean dryRun;

    @Option(names = "--force", description = "Begin anew if there is a ledger.")
    private boolean force;

    @Option(
        names = "--token",
        paramLabel = "TOKEN",
        description = "What --dry-run tells, as a sign that --force is meant.")
    private @Nullable String token;

    @Override
    public Integer call() {
      if (force != (token != null)) {
        throw new ParameterException(
            spec.commandLine(), "--force and --token go together; --dry-run tells the token");
      }
      InitRequest request =
          new InitRequest(
              address.toString(), Optional.ofNullable(objects), Optional.ofNullable(token));
      return StoppableTidemark.run(
          options,
          limit -> {},
          tidemark ->
              dryRun ? plan(tidemark.ledgers(), request) : init(tidemark.ledgers(), request));
    }

    private int plan(LedgerCatalog ledgers, InitRequest request) {
      InitPlan plan = ledgers.plan(request);
      options.print(WireJson.tree(plan), text(plan));
      return ExitCodes.OK;
    }

    private static String text(InitPlan plan) {
      return plan.alreadyInitialized()
          ? "there is a ledger in "
              + plan.storageUri()
              + "; to begin anew, say --force --token "
              + plan.forceToken()
          : "would write to "
              + plan.storageUri()
              + ": "
              + String.join(", ", plan.plannedObjects())
              + "; nothing was written";
    }

    private int init(LedgerCatalog ledgers, InitRequest request) {
      InitResult made = ledgers.init(request);
      options.print(
          WireJson.tree(made), "made the ledger " + made.ledger() + " in " + made.storageUri());
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "open",
      description =
          "Gives a name to a ledger that exists already, and names to its branches. The ledger"
              + " itself isn't changed.",
      footer = {
        "",
        "Exit code 5: there is no ledger in that place. 6: the name is that of something else.",
        "",
        "Examples:",
        "  tidemark ledger open crm --objects s3://bucket/crm",
        "  tidemark ledger open crm --objects /backup/data/ledgers/crm"
      })
  static final class Open implements Callable<Integer> {
    @Mixin private NamesOptions options;

    @Parameters(
        paramLabel = "NAME",
        converter = AddressConverter.class,
        description = "What the ledger is to be called.")
    private Address address;

    @Option(
        names = "--objects",
        paramLabel = "URI",
        description = {
          "Where its objects are: a path, s3://bucket/prefix,",
          "or a path in the store of the names that ends with '/'.",
          "Default: ledgers/NAME/ in the store of the names"
        })
    private @Nullable String objects;

    @Override
    public Integer call() {
      return StoppableTidemark.run(options, limit -> {}, tidemark -> open(tidemark.ledgers()));
    }

    private int open(LedgerCatalog ledgers) {
      AdoptResult adopted = ledgers.adopt(address.toString(), Optional.ofNullable(objects));
      options.print(WireJson.tree(adopted), text(adopted));
      return ExitCodes.OK;
    }

    private static String text(AdoptResult adopted) {
      return "opened the ledger "
          + adopted.ledger()
          + " in "
          + adopted.storageUri()
          + adopted.headCommitId().map(head -> ", at commit " + head).orElse(", without commits")
          + (adopted.branches().isEmpty() ? "" : ", with the branches " + adopted.branches());
    }
  }
}
