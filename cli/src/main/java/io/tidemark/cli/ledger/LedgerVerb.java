// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.named.LedgerAdoption;
import io.tidemark.ledger.named.NamedInit;
import io.tidemark.ledger.named.NamedLedgers;
import io.tidemark.ledger.view.InfoJson;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
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
    subcommands = {LedgerVerb.Init.class, LedgerVerb.Open.class, InfoVerb.class},
    footer = {
      "",
      "Examples:",
      "  tidemark ledger init crm",
      "  tidemark ledger init crm --objects s3://bucket/crm",
      "  tidemark ledger open crm --objects s3://bucket/crm",
      "  tidemark ledger info crm --stats"
    })
public final class LedgerVerb implements Runnable {

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
      return options.with(dryRun ? this::plan : this::init);
    }

    private int plan(NameService names) {
      try (NamedInit init = new NamedInit(names, address, Optional.ofNullable(objects))) {
        LedgerInit.Plan plan = init.plan();
        options.print(InfoJson.plan(address.toString(), plan), text(plan));
        return ExitCodes.OK;
      }
    }

    private static String text(LedgerInit.Plan plan) {
      return plan.alreadyInitialized()
          ? "there is a ledger in "
              + plan.location()
              + "; to begin anew, say --force --token "
              + plan.forceToken()
          : "would write to "
              + plan.location()
              + ": "
              + String.join(", ", plan.plannedObjects())
              + "; nothing was written";
    }

    private int init(NameService names) {
      try (StopOnSignal signal = new StopOnSignal();
          NamedInit init = new NamedInit(names, address, Optional.ofNullable(objects))) {
        signal.watch(init::stop);
        return init(init);
      }
    }

    private int init(NamedInit init) {
      try {
        if (token == null) {
          init.init();
        } else {
          init.force(token);
        }
      } catch (WritingStoppedException e) {
        return StopOnSignal.say(e, options.err());
      }
      String location = init.plan().location();
      options.print(
          InfoJson.made(address.toString(), location),
          "made the ledger " + address + " in " + location);
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
      return options.with(this::open);
    }

    private int open(NameService names) {
      LedgerAdoption adoption =
          new LedgerAdoption(new NamedLedgers(names), LedgerChoice.settings());
      LedgerAdoption.Adopted adopted = adoption.adopt(address, Optional.ofNullable(objects));
      options.print(InfoJson.adopted(adopted), text(adopted));
      return ExitCodes.OK;
    }

    private static String text(LedgerAdoption.Adopted adopted) {
      return "opened the ledger "
          + adopted.address()
          + " in "
          + adopted.location()
          + (adopted.head() == 0 ? ", without commits" : ", at commit " + adopted.head())
          + (adopted.branches().isEmpty() ? "" : ", with the branches " + adopted.branches());
    }
  }
}
