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
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.named.NamedLedgers;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.names.Address;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which ledger, and how to print what is found: what every verb on a ledger takes. */
final class LedgerChoice {

  private static final String RUNTIME = "tidemark-cli";

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
    return ask(settings(), here -> {}, work);
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
    OpenOptions location = OpenOptions.at(options.location()).withWriter(RUNTIME);
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

  /** Opens the ledger, does something with it and closes it. */
  int with(ToIntFunction<Ledger> work) {
    return with(settings(), work);
  }

  /** The same with another of its branches. */
  int on(String branch, ToIntFunction<Ledger> work) {
    return with(address.onBranch(branch), settings(), work);
  }

  /** The same, with settings of its own. */
  int with(LedgerOptions settings, ToIntFunction<Ledger> work) {
    return with(address, settings, work);
  }

  private int with(Address which, LedgerOptions settings, ToIntFunction<Ledger> work) {
    return options.with(
        names -> {
          try (StopOnSignal signal = new StopOnSignal()) {
            NamedLedgers ledgers = new NamedLedgers(names);
            try (NamedLedgers.Opened opened = ledgers.open(which, settings)) {
              return work.applyAsInt(signal.watch(opened.ledger()));
            } catch (WritingStoppedException e) {
              return StopOnSignal.say(e, options.err());
            }
          }
        });
  }

  /** Does something with the objects of a ledger, which isn't opened. */
  int at(ToIntBiFunction<LedgerObjects, StopOnSignal> work) {
    return options.with(
        names -> {
          try (StopOnSignal signal = new StopOnSignal();
              NamedLedgers.Place place = new NamedLedgers(names).place(address)) {
            return work.applyAsInt(place.objects(address), signal);
          }
        });
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

  static LedgerOptions settings() {
    WriterSettings standard = WriterSettings.standard();
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                RUNTIME,
                standard.leaseTtl(),
                standard.lockTimeout(),
                standard.idleAfter(),
                standard.retry(),
                standard.time()));
  }
}
