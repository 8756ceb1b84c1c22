// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventBusService;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.cli.terminal.ProgressTicker;
import io.tidemark.cli.time.AgeConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Mixin of every verb on events: the location of the bus and the format of the output. */
final class EventBusMixin {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  @Mixin private NamesOptions options;

  @Option(
      names = "--objects",
      paramLabel = "URI",
      description = {
        "Where the events are, if not in the store of --data:",
        "a path, or s3://bucket/prefix. $TIDEMARK_SERVER is",
        "passed over then."
      })
  private @Nullable String objects;

  @Option(
      names = "--max-skew",
      paramLabel = "TIME",
      converter = AgeConverter.class,
      description = {
        "How far clocks may differ; to be the same for all",
        "who use the bus. Default: 30s"
      })
  private Duration maxSkew = OpenOptions.at("").maxSkew();

  /** Returns the options that name the location, to be repeated in a suggested command. */
  List<String> location() {
    List<String> words = new ArrayList<>(options.givenLocation());
    if (objects != null) {
      words.addAll(List.of("--objects", objects));
    }
    return words;
  }

  /** Opens the bus, applies work and closes it. */
  int with(ToIntFunction<EventBusService> work) {
    if (maxSkew.isZero()) {
      throw new ParameterException(verb.commandLine(), "--max-skew takes a time from 1s");
    }
    if (objects != null && options.givenServer().isPresent()) {
      throw new ParameterException(
          verb.commandLine(),
          "--objects and a server are two places for events; give --objects with --data, or the"
              + " server alone");
    }
    String location = objects == null ? options.location() : objects;
    try (Tidemark tidemark = Tidemark.open(OpenOptions.at(location).withMaxSkew(maxSkew))) {
      return work.applyAsInt(tidemark.events());
    } finally {
      out().flush();
    }
  }

  /** Prints a result of a service: as JSON if that was asked for, else as text. */
  void print(Object result, String text) {
    options.print(WireJson.tree(result), text);
  }

  /** Returns whether the output is JSON. */
  boolean json() {
    return options.json();
  }

  /** Returns the progress line, which is silent when the output is JSON. */
  ProgressLine progress() {
    return json() ? ProgressLine.none(err()) : ProgressLine.on(err());
  }

  /** Waits for an answer, and shows the text on a terminal meanwhile. */
  <A> A withWaitMessage(String text, Supplier<A> answer) {
    try (ProgressTicker unused = ProgressTicker.on(progress(), text)) {
      return answer.get();
    }
  }

  /** Returns the writer for errors. */
  PrintWriter err() {
    return options.err();
  }

  /** Returns the writer for output. */
  PrintWriter out() {
    return options.out();
  }
}
