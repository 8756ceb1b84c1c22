// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordKind;
import io.tidemark.names.view.NameEventJson;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/** {@code tidemark watch [ADDRESS...]}. */
@Command(
    description = {
      "Prints a line whenever a record moves, appears, is retracted, restored or purged, by this"
          + " or any other process, until it is stopped. A watch that falls behind is told the last"
          + " state of each record, and from where it moved."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark watch",
      "  tidemark watch mydb mydb:dev --concern head",
      "  tidemark watch --prefix tenant/ --kind ledger --from start --json",
      "  tidemark watch --cursor seen.json      goes on where it ended the last time",
      "  tidemark watch mydb --count 1          waits for the next move"
    })
public final class WatchCommand implements Callable<Integer> {

  private static final double SAVE_SECONDS = 1;

  /** Start of a watch. */
  enum From {
    NOW,
    START
  }

  @Spec private CommandSpec spec;
  @Mixin private NamesOptions options;

  @Parameters(
      arity = "0..*",
      paramLabel = "ADDRESS",
      description = "Only these: name or name:branch.")
  private List<String> addresses = new ArrayList<>();

  @Option(names = "--prefix", paramLabel = "TEXT", description = "What addresses start with.")
  private String prefix = "";

  @Option(names = "--kind", paramLabel = "ledger|graph_source", description = "Only this kind.")
  private @Nullable RecordKind recordKind;

  @Option(
      names = "--concern",
      split = ",",
      paramLabel = "head|index|status|config",
      description = "Only moves of these, separated by commas.")
  private List<Concern> concerns = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "now|start",
      description = "Begin with what happens next, or with what is there. Default: now")
  private From from = From.NOW;

  @Option(
      names = "--cursor",
      paramLabel = "FILE",
      description = {
        "Keep in this file what was printed, and go on from there if it exists.",
        "After a crash the lines of the last second may be printed again, none is left out."
      })
  private @Nullable Path cursor;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "How often to look at the store, with one request. Default: 1")
  private double interval = 1;

  @Option(names = "--count", paramLabel = "N", description = "End after so many lines.")
  private long count = Long.MAX_VALUE;

  @Option(names = "--for", paramLabel = "SECONDS", description = "End after this time.")
  private double seconds = TimeLimit.NONE;

  @Override
  public Integer call() {
    if (!(interval >= 0.01) || count < 1 || !(seconds >= 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval must be at least 0.01 seconds, --count at least 1, --for not negative");
    }
    return options.with(names -> watch(names));
  }

  private int watch(NameService names) {
    Duration pause = Duration.ofNanos((long) (interval * 1e9));
    FeedSettings settings = new FeedSettings(pause, FeedSettings.standard().surveyEvery());
    try (NameFeed feed = new NameFeed(names, settings);
        Watch watch = begin(feed)) {
      return print(watch, new TimeLimit(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private Watch begin(NameFeed feed) {
    WatchFilter filter = filter();
    Optional<Watch> resumed =
        Optional.ofNullable(cursor)
            .flatMap(file -> new CursorFile(file).read())
            .map(known -> feed.watch(filter, known));
    return resumed.orElseGet(
        () -> from == From.START ? feed.watch(filter) : feed.watchFromNow(filter));
  }

  private WatchFilter filter() {
    WatchFilter filter =
        WatchFilter.all()
            .startingWith(prefix)
            .only(addresses.stream().map(Address::parse).toArray(Address[]::new));
    filter = Optional.ofNullable(recordKind).map(filter::ofKind).orElse(filter);
    return concerns.isEmpty() ? filter : filter.of(concerns.toArray(Concern[]::new));
  }

  private int print(Watch watch, TimeLimit limit) throws InterruptedException {
    save(watch);
    boolean unsaved = false;
    TimeLimit pause = new TimeLimit(SAVE_SECONDS);
    for (long printed = 0; printed < count && !limit.isOver(); ) {
      Optional<NameEvent> event = next(watch, unsaved ? Duration.ZERO : limit.left());
      if (event.isPresent()) {
        printed++;
        options.print(NameEventJson.of(event.get()), NameEventFormatter.text(event.get()));
        if (options.out().checkError()) {
          return 0; // the reader has closed the output
        }
      }
      unsaved |= event.isPresent();
      if (unsaved && (event.isEmpty() || pause.isOver())) {
        save(watch); // not after each line: the cursor grows with the number of watched records
        unsaved = false;
        pause = new TimeLimit(SAVE_SECONDS);
      }
    }
    if (unsaved) {
      save(watch);
    }
    return 0;
  }

  /** Stores the checkpoint of the printed events, only after they were printed. */
  private void save(Watch watch) {
    if (cursor != null) {
      new CursorFile(cursor).write(watch.cursor());
    }
  }

  private Optional<NameEvent> next(Watch watch, Duration atMost) throws InterruptedException {
    try {
      return watch.next(atMost);
    } catch (TidemarkException e) {
      spec.commandLine().getErr().println("tidemark: " + e.getMessage() + " (still watching)");
      return Optional.empty();
    }
  }
}
