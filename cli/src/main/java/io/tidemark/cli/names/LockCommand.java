// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Acquired;
import io.tidemark.names.SoftLocks.Acquisition;
import io.tidemark.names.SoftLocks.HeldBy;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.view.LockJson;
import java.time.Clock;
import java.time.Duration;
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

/** {@code tidemark lock acquire|refresh|release|show}. */
@Command(
    description = "Takes and gives back the soft locks in a record's status.",
    subcommands = {
      LockCommand.Acquire.class,
      LockCommand.Refresh.class,
      LockCommand.Release.class,
      LockCommand.Show.class
    },
    footer = {
      "",
      "A lock that another holds, or that was lost, ends with exit code 6.",
      "",
      "Examples:",
      "  tidemark lock acquire mydb index --holder indexer-1 --target-t 45",
      "  tidemark lock refresh mydb index --epoch 3 --progress 0.5",
      "  tidemark lock release mydb index --epoch 3",
      "  tidemark lock show mydb index"
    })
public final class LockCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: acquire, refresh, release or show");
  }

  /** Mixin of all four verbs. */
  static final class LockMixin {
    @Mixin private NamesOptions options;

    @Parameters(
        index = "0",
        paramLabel = "ADDRESS",
        converter = AddressConverter.class,
        description = "name or name:branch")
    private Address address;

    @Parameters(index = "1", paramLabel = "PURPOSE", description = "index, reindex or maintenance")
    private Purpose purpose;

    /** Shows the lock with the word for its outcome, and returns the exit code. */
    int show(String result, Optional<Lock> lock) {
      options.print(LockJson.of(result, lock), LockFormatter.text(result, lock));
      return result.equals("held") || result.equals("lost") ? ExitCodes.CONFLICT : ExitCodes.OK;
    }
  }

  /** Mixin of the duration of a lock. */
  static final class LeaseMixin {
    @Option(
        names = "--lease",
        paramLabel = "SECONDS",
        description = "How long it lasts unless refreshed. Default: 600")
    private long seconds = 600;

    SoftLocks locks(NameService names) {
      return new SoftLocks(names, Clock.systemUTC(), Duration.ofSeconds(seconds));
    }
  }

  /** Mixin of the acquisition that is meant. */
  static final class AcquisitionMixin {
    @Option(
        names = "--epoch",
        required = true,
        paramLabel = "N",
        description = "The epoch it was acquired with.")
    private long epoch;

    @Option(
        names = "--id",
        paramLabel = "ID",
        description = "Its id, for a record that may be a new one.")
    private @Nullable String id;

    /** Returns the current lock if it is of this acquisition. */
    Optional<Lock> held(LockMixin lockMixin, SoftLocks locks) {
      return locks.find(lockMixin.address, lockMixin.purpose, epoch, Optional.ofNullable(id));
    }
  }

  @Command(
      name = "acquire",
      description = "Takes a lock, if nobody has it or whoever had it let it expire.",
      footer = {
        "",
        "Exit code 6: another has it; who, and until when, is shown.",
        "",
        "Examples:",
        "  tidemark lock acquire mydb index --holder indexer-1 --target-t 45",
        "  tidemark lock acquire mydb maintenance --holder me --lease 60 --json"
      })
  static final class Acquire implements Callable<Integer> {
    @Mixin private LockMixin lockMixin;
    @Mixin private LeaseMixin leaseMixin;

    @Option(
        names = "--holder",
        required = true,
        paramLabel = "NAME",
        description = "Who asks for it.")
    private String holder;

    @Option(names = "--target-t", paramLabel = "T", description = "Up to where it will work.")
    private @Nullable Long target;

    @Override
    public Integer call() {
      return lockMixin.options.with(
          names -> {
            OptionalLong t = target == null ? OptionalLong.empty() : OptionalLong.of(target);
            Acquisition acquisition =
                leaseMixin.locks(names).acquire(lockMixin.address, lockMixin.purpose, holder, t);
            return acquisition instanceof Acquired acquired
                ? lockMixin.show("acquired", Optional.of(acquired.lock()))
                : lockMixin.show("held", Optional.of(((HeldBy) acquisition).lock()));
          });
    }
  }

  @Command(
      name = "refresh",
      description = "Makes a lock last again from now, and says how far the work is.",
      footer = {
        "",
        "Exit code 6: it was lost; who has it now is shown.",
        "",
        "Examples:",
        "  tidemark lock refresh mydb index --epoch 3 --progress 0.5"
      })
  static final class Refresh implements Callable<Integer> {
    @Mixin private LockMixin lockMixin;
    @Mixin private LeaseMixin leaseMixin;

    @Mixin private AcquisitionMixin acquisitionMixin;

    @Option(names = "--progress", paramLabel = "0..1", description = "How far the work is.")
    private double progress = -1;

    @Override
    public Integer call() {
      return lockMixin.options.with(
          names -> {
            SoftLocks locks = leaseMixin.locks(names);
            Optional<Lock> refreshed =
                acquisitionMixin
                    .held(lockMixin, locks)
                    .flatMap(l -> locks.refresh(lockMixin.address, lockMixin.purpose, l, progress));
            return refreshed.isPresent()
                ? lockMixin.show("refreshed", refreshed)
                : lockMixin.show("lost", locks.find(lockMixin.address, lockMixin.purpose));
          });
    }
  }

  @Command(
      name = "release",
      description = "Gives a lock back.",
      footer = {
        "",
        "Exit code 6: it was lost; who has it now is shown.",
        "",
        "Examples:",
        "  tidemark lock release mydb index --epoch 3"
      })
  static final class Release implements Callable<Integer> {
    @Mixin private LockMixin lockMixin;
    @Mixin private AcquisitionMixin acquisitionMixin;

    @Override
    public Integer call() {
      return lockMixin.options.with(
          names -> {
            SoftLocks locks = new LeaseMixin().locks(names);
            boolean released =
                acquisitionMixin
                    .held(lockMixin, locks)
                    .map(lock -> locks.release(lockMixin.address, lockMixin.purpose, lock))
                    .orElse(false);
            return released
                ? lockMixin.show("released", Optional.empty())
                : lockMixin.show("lost", locks.find(lockMixin.address, lockMixin.purpose));
          });
    }
  }

  @Command(
      name = "show",
      description = "Shows who has a lock, until when, and how far the work is.",
      footer = {"", "Examples:", "  tidemark lock show mydb index"})
  static final class Show implements Callable<Integer> {
    @Mixin private LockMixin lockMixin;

    @Override
    public Integer call() {
      return lockMixin.options.with(
          names -> {
            Optional<Lock> lock =
                new LeaseMixin().locks(names).find(lockMixin.address, lockMixin.purpose);
            long now = Clock.systemUTC().instant().getEpochSecond();
            String held = lock.map(l -> l.expiresAt() > now ? "locked" : "expired").orElse("free");
            return lockMixin.show(held, lock);
          });
    }
  }
}
