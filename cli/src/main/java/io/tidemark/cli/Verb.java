// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.names.BranchVerb;
import io.tidemark.cli.names.ConcernVerb;
import io.tidemark.cli.names.ListVerb;
import io.tidemark.cli.names.LockVerb;
import io.tidemark.cli.names.MigrateVerb;
import io.tidemark.cli.names.PurgeVerb;
import io.tidemark.cli.names.RecordVerb;
import io.tidemark.cli.names.SourceVerb;
import io.tidemark.cli.names.WatchVerb;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A verb of the {@code tidemark} command, known by name before the classes that carry it out are
 * loaded.
 *
 * @param name what the user types
 * @param summary one line for the help, without a full stop
 * @param command makes the picocli command: an annotated object that is {@link Runnable} or {@link
 *     java.util.concurrent.Callable}. Called only when the verb is named on the command line
 */
record Verb(String name, String summary, Supplier<Object> command) {

  /**
   * Every verb, in the order of the help. To add one, write its picocli class and a line here.
   *
   * <p>Write {@code () -> new HelpVerb()}, not {@code HelpVerb::new}: a method reference would load
   * the class of the verb with each start of the command.
   */
  static List<Verb> all() {
    return List.of(
        new Verb("create", "Create a ledger without commits", () -> RecordVerb.create()),
        new Verb("list", "List ledgers and graph sources", () -> new ListVerb()),
        new Verb("show", "Show a record and its four concerns", () -> RecordVerb.show()),
        new Verb("concern", "Read and move one concern of a record", () -> new ConcernVerb()),
        new Verb("branch", "Make, list and drop branches", () -> new BranchVerb()),
        new Verb("source", "Make and list graph sources", () -> new SourceVerb()),
        new Verb("lock", "Take and give back soft locks", () -> new LockVerb()),
        new Verb("retract", "Take a record back, to be restored", () -> RecordVerb.retract()),
        new Verb("restore", "Undo 'retract'", () -> RecordVerb.restore()),
        new Verb("purge", "Remove a record for good", () -> new PurgeVerb()),
        new Verb("watch", "Tell what moves, as it does", () -> new WatchVerb()),
        new Verb("migrate", "Convert records in older forms", () -> new MigrateVerb()),
        new Verb("bench", "Measure Tidemark beside its peers", () -> benchmarks()),
        new Verb("help", "Say what a verb does and takes", () -> new HelpVerb()));
  }

  /** Not a part of every installation, since the peers it brings along are large. */
  private static Object benchmarks() {
    try {
      return Class.forName("io.tidemark.bench.BenchVerb").getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      return new MissingVerb("run ./tidemark bench in the source tree, which has them built");
    }
  }

  /** The verb as a part of the command line. */
  CommandSpec load() {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command.get()).name(name);
    if (spec.usageMessage().description().length == 0) {
      spec.usageMessage().description(summary + ".");
    }
    return spec;
  }
}
