// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Acquired;
import io.tidemark.names.SoftLocks.Acquisition;
import io.tidemark.names.SoftLocks.HeldBy;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
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
      LockVerb.Acquire.class,
      LockVerb.Refresh.class,
      LockVerb.Release.class,
      LockVerb.Show.class
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
public final class LockVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: acquire, refresh, release or show");
  }

  /** What all four take. */
  static final class Where {
    @Mixin private NamesOptions options;

    @Parameters(
        index = "0",
        paramLabel = "ADDRESS",
        converter = AddressConverter.class,
        description = "name or name:branch")
    private Address address;

    @Parameters(index = "1", paramLabel = "PURPOSE", description = "index, reindex or maintenance")
    private Purpose purpose;

    @Option(
        names = "--lease",
        paramLabel = "SECONDS",
        description = "How long it lasts unless refreshed; default: 600.")
    private long lease = 600;

    SoftLocks locks(NameService names) {
      return new SoftLocks(names, Clock.systemUTC(), Duration.ofSeconds(lease));
    }

    int show(String result, Optional<Lock> lock) {
      ObjectNode json = JsonNodeFactory.instance.objectNode().put("result", result);
      lock.ifPresent(
          l -> {
            json.put("holder", l.holder()).put("epoch", l.epoch());
            json.put("expires_at", l.expiresAt());
            l.targetT().ifPresent(t -> json.put("target_t", t));
          });
      String text =
          lock.map(
                  l ->
                      ": epoch "
                          + l.epoch()
                          + " of "
                          + l.holder()
                          + ", until "
                          + Shown.time(l.expiresAt()))
              .orElse("");
      options.print(json, result + text);
      return result.equals("held") || result.equals("lost") ? ExitCodes.CONFLICT : ExitCodes.OK;
    }
  }

  @Command(name = "acquire", description = "Takes a lock, if nobody has it.")
  static final class Acquire implements Callable<Integer> {
    @Mixin private Where where;

    @Option(names = "--holder", required = true, description = "Who asks for it.")
    private String holder;

    @Option(names = "--target-t", paramLabel = "T", description = "Up to where it will work.")
    private @Nullable Long target;

    @Override
    public Integer call() {
      return where.options.with(
          names -> {
            OptionalLong t = target == null ? OptionalLong.empty() : OptionalLong.of(target);
            Acquisition acquisition =
                where.locks(names).acquire(where.address, where.purpose, holder, t);
            return acquisition instanceof Acquired acquired
                ? where.show("acquired", Optional.of(acquired.lock()))
                : where.show("held", Optional.of(((HeldBy) acquisition).lock()));
          });
    }
  }

  @Command(name = "refresh", description = "Makes a lock last again from now.")
  static final class Refresh implements Callable<Integer> {
    @Mixin private Where where;

    @Option(names = "--epoch", required = true, description = "The epoch it was acquired with.")
    private long epoch;

    @Option(names = "--progress", paramLabel = "0..1", description = "How far the work is.")
    private double progress = -1;

    @Override
    public Integer call() {
      return where.options.with(
          names -> {
            SoftLocks locks = where.locks(names);
            Optional<Lock> refreshed =
                mine(where, locks, epoch)
                    .flatMap(l -> locks.refresh(where.address, where.purpose, l, progress));
            return where.show(refreshed.isPresent() ? "refreshed" : "lost", refreshed);
          });
    }
  }

  @Command(name = "release", description = "Gives a lock back.")
  static final class Release implements Callable<Integer> {
    @Mixin private Where where;

    @Option(names = "--epoch", required = true, description = "The epoch it was acquired with.")
    private long epoch;

    @Override
    public Integer call() {
      return where.options.with(
          names -> {
            SoftLocks locks = where.locks(names);
            boolean released =
                mine(where, locks, epoch)
                    .map(lock -> locks.release(where.address, where.purpose, lock))
                    .orElse(false);
            return where.show(released ? "released" : "lost", Optional.empty());
          });
    }
  }

  @Command(name = "show", description = "Shows who has a lock.")
  static final class Show implements Callable<Integer> {
    @Mixin private Where where;

    @Override
    public Integer call() {
      return where.options.with(
          names -> {
            Optional<Lock> lock = where.locks(names).find(where.address, where.purpose);
            return where.show(lock.isPresent() ? "locked" : "free", lock);
          });
    }
  }

  /** The lock as it is, if it is of the acquisition that the caller names. */
  private static Optional<Lock> mine(Where where, SoftLocks locks, long epoch) {
    return locks.find(where.address, where.purpose).filter(lock -> lock.epoch() == epoch);
  }
}
