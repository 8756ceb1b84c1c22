// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.cli.terminal.ProgressTicker;
import io.tidemark.embed.EmbeddedTidemark;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Mixin of every verb on a ledger: the ledger and the format of the output. */
final class LedgerMixin {

  @Mixin private NamesOptions options;

  @Parameters(
      index = "0",
      paramLabel = "LEDGER",
      converter = AddressConverter.class,
      description = "The name of the ledger, or name:branch.")
  private Address address;

  /** Returns the name of the ledger, with the branch. */
  String name() {
    return address.toString();
  }

  /** Returns the branch of the ledger. */
  BranchName branch() {
    return new BranchName(address.branch());
  }

  /** Applies an operation to the ledger, here or on a server. */
  int read(ToIntFunction<LedgerService> work) {
    return read(LedgerOptions.standard(), here -> {}, work);
  }

  /**
   * Applies an operation to the ledger, here or on a server.
   *
   * @param settings how the ledger is opened here
   * @param prepared gets what is opened here before the ledger is
   */
  int read(
      LedgerOptions settings,
      Consumer<EmbeddedTidemark> prepared,
      ToIntFunction<LedgerService> work) {
    OpenOptions location = StoppableTidemark.location(options);
    if (options.server().isPresent()) {
      try (Tidemark server = Tidemark.open(location)) {
        return work.applyAsInt(server.ledger(name()));
      } finally {
        out().flush();
      }
    }
    try (EmbeddedTidemark here = EmbeddedTidemark.open(location, settings)) {
      prepared.accept(here);
      return work.applyAsInt(here.ledger(name()));
    } finally {
      out().flush();
    }
  }

  /** Applies an operation to the ledger; a signal stops its writing. */
  int write(ToIntFunction<LedgerService> work) {
    return write(address, limit -> {}, work);
  }

  /** Applies an operation to another branch of the ledger; a signal stops its writing. */
  int writeTo(String branch, ToIntFunction<LedgerService> work) {
    return write(address.onBranch(branch), limit -> {}, work);
  }

  /**
   * Applies an operation to the ledger.
   *
   * @param ended called when a signal ends the command
   */
  int write(Consumer<Duration> ended, ToIntFunction<LedgerService> work) {
    return write(address, ended, work);
  }

  private int write(Address which, Consumer<Duration> ended, ToIntFunction<LedgerService> work) {
    return StoppableTidemark.run(
        options, ended, tidemark -> work.applyAsInt(tidemark.ledger(which.toString())));
  }

  /** Returns the writer for errors. */
  PrintWriter err() {
    return options.err();
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  void print(JsonNode result, String text) {
    options.print(result, text);
  }

  /** Returns whether the output is JSON. */
  boolean json() {
    return options.json();
  }

  /** Returns the progress line, which is silent when the output is JSON. */
  ProgressLine progress() {
    return json() ? ProgressLine.none(options.err()) : ProgressLine.on(options.err());
  }

  /** Waits for long work and shows its progress; the given text until it reports any. */
  <A> A withProgress(String text, Function<Consumer<String>, A> work) {
    ProgressLine progressLine = progress();
    try (ProgressTicker progressTicker = ProgressTicker.on(progressLine, text)) {
      return work.apply(
          now -> {
            progressTicker.show(now);
            progressLine.show(now);
          });
    }
  }

  /** Waits for an answer, and shows the text on a terminal meanwhile. */
  <A> A withWaitMessage(String text, Supplier<A> answer) {
    try (ProgressTicker unused = ProgressTicker.on(progress(), text)) {
      return answer.get();
    }
  }

  /** Returns the writer for output. */
  PrintWriter out() {
    return options.out();
  }
}
