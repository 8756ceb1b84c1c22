// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.events.EventsVerb;
import io.tidemark.cli.features.FeaturesVerb;
import io.tidemark.cli.ledger.ChangesVerb;
import io.tidemark.cli.ledger.CommitVerb;
import io.tidemark.cli.ledger.CompactVerb;
import io.tidemark.cli.ledger.DiffVerb;
import io.tidemark.cli.ledger.ExportVerb;
import io.tidemark.cli.ledger.GcVerb;
import io.tidemark.cli.ledger.ImportVerb;
import io.tidemark.cli.ledger.IndexVerb;
import io.tidemark.cli.ledger.LedgerVerb;
import io.tidemark.cli.ledger.LogVerb;
import io.tidemark.cli.ledger.MergeVerb;
import io.tidemark.cli.ledger.QueryVerb;
import io.tidemark.cli.ledger.SchemaVerb;
import io.tidemark.cli.ledger.SqlVerb;
import io.tidemark.cli.names.BranchVerb;
import io.tidemark.cli.names.ConcernVerb;
import io.tidemark.cli.names.ListVerb;
import io.tidemark.cli.names.LockVerb;
import io.tidemark.cli.names.MigrateVerb;
import io.tidemark.cli.names.PurgeVerb;
import io.tidemark.cli.names.RecordVerb;
import io.tidemark.cli.names.SourceVerb;
import io.tidemark.cli.names.WatchVerb;
import io.tidemark.cli.remotes.CloneVerb;
import io.tidemark.cli.remotes.FetchVerb;
import io.tidemark.cli.remotes.PullVerb;
import io.tidemark.cli.remotes.PushVerb;
import io.tidemark.cli.remotes.RemoteVerb;
import io.tidemark.cli.server.DoctorVerb;
import io.tidemark.cli.server.ServeVerb;
import io.tidemark.cli.server.StatusVerb;
import io.tidemark.cli.server.TokenVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A verb of the {@code tidemark} command, known by name before the classes that carry it out are
 * loaded.
 *
 * @param group under which the help lists it
 * @param name what the user types
 * @param summary one line for the help, without a full stop
 * @param command makes the picocli command: an annotated object that is {@link Runnable} or {@link
 *     java.util.concurrent.Callable}. Called only when the verb is named on the command line
 */
record Verb(Group group, String name, String summary, Supplier<Object> command) {

  /** What a verb is about, in the order of the help. */
  enum Group {
    LEDGERS("Verbs on ledgers"),
    FEATURES("Verbs on features"),
    EVENTS("Verbs on events"),
    NAMES("Verbs on names"),
    REMOTES("Verbs on remotes"),
    SERVER("Verbs on servers"),
    OTHERS("Other verbs");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }

  /**
   * Every verb, in the order of the help. To add one, write its picocli class and a line here.
   *
   * <p>Write {@code () -> new HelpVerb()}, not {@code HelpVerb::new}: a method reference would load
   * the class of the verb with each start of the command.
   */
  static List<Verb> all() {
    List<Verb> verbs = new ArrayList<>(ledgers());
    verbs.add(
        new Verb(
            Group.FEATURES,
            "features",
            "GeoJSON features in PostgreSQL, with all their history",
            () -> new FeaturesVerb()));
    verbs.add(
        new Verb(
            Group.EVENTS,
            "events",
            "Publish events, hand them out and see what becomes of them",
            () -> new EventsVerb()));
    verbs.addAll(names());
    verbs.addAll(remotes());
    verbs.addAll(servers());
    verbs.add(other("tour", "Walk through the first things one does", () -> new TourVerb()));
    verbs.add(other("completion", "Let a shell complete verbs", () -> new CompletionVerb()));
    verbs.add(other("bench", "Measure Tidemark beside its peers", () -> benchmarks()));
    verbs.add(other("help", "Say what a verb does and takes", () -> new HelpVerb()));
    return verbs;
  }

  private static List<Verb> ledgers() {
    return List.of(
        ledger("ledger", "Make a ledger, and say how it is", () -> new LedgerVerb()),
        ledger("commit", "Make the rows of a file true", () -> new CommitVerb()),
        ledger("log", "List commits", () -> new LogVerb()),
        ledger("changes", "Tell what a commit did", () -> new ChangesVerb()),
        ledger("diff", "Tell how commits or branches differ", () -> new DiffVerb()),
        ledger("merge", "Take in another branch", () -> new MergeVerb()),
        ledger("query", "Find rows, as they are or as they were", () -> new QueryVerb()),
        ledger("sql", "Ask in SQL, as things are or as they were", () -> new SqlVerb()),
        ledger("schema", "Show, compare, migrate and drop types", () -> new SchemaVerb()),
        ledger("import", "Read rows from files", () -> new ImportVerb()),
        ledger("export", "Write rows to files", () -> new ExportVerb()),
        ledger("index", "Verify and repair indices", () -> new IndexVerb()),
        ledger("compact", "Put many commits into few files", () -> new CompactVerb()),
        ledger("gc", "Delete what nobody needs any more", () -> new GcVerb()));
  }

  private static List<Verb> names() {
    return List.of(
        name("create", "Create a ledger's name without commits", () -> RecordVerb.create()),
        name("list", "List ledgers and graph sources", () -> new ListVerb()),
        name("show", "Show a record and its four concerns", () -> RecordVerb.show()),
        name("concern", "Read and move one concern of a record", () -> new ConcernVerb()),
        name("branch", "Make, list and drop branches", () -> new BranchVerb()),
        name("source", "Make and list graph sources", () -> new SourceVerb()),
        name("lock", "Take and give back soft locks", () -> new LockVerb()),
        name("retract", "Take a record back, to be restored", () -> RecordVerb.retract()),
        name("restore", "Undo 'retract'", () -> RecordVerb.restore()),
        name("purge", "Remove a record for good", () -> new PurgeVerb()),
        name("watch", "Tell what moves, as it does", () -> new WatchVerb()),
        name("migrate", "Convert records in older forms", () -> new MigrateVerb()));
  }

  private static List<Verb> remotes() {
    return List.of(
        remote("remote", "Name other stores to pull from and push to", () -> new RemoteVerb()),
        remote("fetch", "See what is new on remotes", () -> new FetchVerb()),
        remote("pull", "Move a ledger to where it is on a remote", () -> new PullVerb()),
        remote("push", "Move a ledger on a remote to where it is here", () -> new PushVerb()),
        remote("clone", "Make a ledger that is in another store", () -> new CloneVerb()));
  }

  private static Verb remote(String name, String summary, Supplier<Object> command) {
    return new Verb(Group.REMOTES, name, summary, command);
  }

  private static List<Verb> servers() {
    return List.of(
        server("serve", "Serve what there is over HTTP, and look after it", () -> new ServeVerb()),
        server("token", "Say who may ask a server for what", () -> new TokenVerb()),
        server("status", "Show ledgers, locks and queues on one screen", () -> new StatusVerb()),
        server("doctor", "Find out what is wrong, and what to do", () -> new DoctorVerb()));
  }

  private static Verb server(String name, String summary, Supplier<Object> command) {
    return new Verb(Group.SERVER, name, summary, command);
  }

  private static Verb ledger(String name, String summary, Supplier<Object> command) {
    return new Verb(Group.LEDGERS, name, summary, command);
  }

  private static Verb name(String name, String summary, Supplier<Object> command) {
    return new Verb(Group.NAMES, name, summary, command);
  }

  private static Verb other(String name, String summary, Supplier<Object> command) {
    return new Verb(Group.OTHERS, name, summary, command);
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
