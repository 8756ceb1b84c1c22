// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.cli.terminal.Ticking;
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

/** Which ledger, and how to print what is found: what every verb on a ledger takes. */
final class LedgerChoice {

  @Mixin private NamesOptions options;

  @Parameters(
      index = "0",
      paramLabel = "LEDGER",
      converter = AddressConverter.class,
      description = "The name of the ledger, or name:branch.")
  private Address address;

  /** Its name, with the branch. */
  String name() {
    return address.toString();
  }

  /** Which branch of it. */
  BranchName branch() {
    return new BranchName(address.branch());
  }

  /** Applies an operation to the ledger, here or on a server. */
  int ask(ToIntFunction<LedgerService> work) {
    return ask(LedgerOptions.standard(), here -> {}, work);
  }

  /**
   * Applies an operation to the ledger, here or on a server.
   *
   * @param settings how the ledger is opened here
   * @param prepared gets what is opened here before the ledger is
   */
  int ask(
      LedgerOptions settings,
      Consumer<EmbeddedTidemark> prepared,
      ToIntFunction<LedgerService> work) {
    OpenOptions location = Opened.location(options);
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

  /** Applies an operation to the ledger, of which a signal stops the writing. */
  int change(ToIntFunction<LedgerService> work) {
    return change(address, limit -> {}, work);
  }

  /** Applies an operation to another branch of the ledger, of which a signal stops the writing. */
  int changeOn(String branch, ToIntFunction<LedgerService> work) {
    return change(address.onBranch(branch), limit -> {}, work);
  }

  /**
   * Applies an operation to the ledger.
   *
   * @param ended called when a signal ends the command
   */
  int change(Consumer<Duration> ended, ToIntFunction<LedgerService> work) {
    return change(address, ended, work);
  }

  private int change(Address which, Consumer<Duration> ended, ToIntFunction<LedgerService> work) {
    return Opened.work(
        options, ended, tidemark -> work.applyAsInt(tidemark.ledger(which.toString())));
  }

  /** Where it is said what goes wrong. */
  PrintWriter err() {
    return options.err();
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  void print(JsonNode result, String text) {
    options.print(result, text);
  }

  /** Whether a program reads the output. */
  boolean json() {
    return options.json();
  }

  /** Where to say how far long work is: nowhere when a program reads the output. */
  Progress progress() {
    return json() ? Progress.untold(options.err()) : Progress.on(options.err());
  }

  /** Waits for long work and shows how far it is; until it tells that, the text. */
  <A> A followed(String text, Function<Consumer<String>, A> work) {
    Progress progress = progress();
    try (Ticking ticking = Ticking.on(progress, text)) {
      return work.apply(
          now -> {
            ticking.now(now);
            progress.at(now);
          });
    }
  }

  /** Waits for an answer, which may take long without a word, and says so on a terminal. */
  <A> A awaited(String text, Supplier<A> answer) {
    try (Ticking unused = Ticking.on(progress(), text)) {
      return answer.get();
    }
  }

  /** Where the output goes. */
  PrintWriter out() {
    return options.out();
  }
}
