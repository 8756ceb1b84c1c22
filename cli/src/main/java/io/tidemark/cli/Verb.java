// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.events.EventsVerb;
import io.tidemark.cli.features.FeaturesVerb;
import io.tidemark.cli.ledger.BranchVerb;
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
import io.tidemark.cli.ledger.VerifyVerb;
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
 * @param command makes the picocli command: a {@link CommandSpec}, or an annotated object that is
 *     {@link Runnable} or {@link java.util.concurrent.Callable}. Called only when the verb is named
 *     on the command line
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
   * Every verb, in the order of the help. To add one, write its picocli class, a line here and a
   * case in {@link Known}.
   */
  static List<Verb> all() {
    List<Verb> verbs = new ArrayList<>(ledgers());
    verbs.add(
        known(
            Group.FEATURES, "features", "GeoJSON features in PostgreSQL, with all their history"));
    verbs.add(
        known(
            Group.EVENTS, "events", "Publish events, hand them out and see what becomes of them"));
    verbs.addAll(names());
    verbs.addAll(remotes());
    verbs.addAll(servers());
    verbs.add(other("tour", "Walk through the first things one does"));
    verbs.add(other("completion", "Let a shell complete verbs"));
    verbs.add(other("bench", "Measure Tidemark beside its peers"));
    verbs.add(other("help", "Say what a verb does and takes"));
    return verbs;
  }

  private static List<Verb> ledgers() {
    return List.of(
        ledger("ledger", "Create, open and describe ledgers"),
        ledger("commit", "Make the rows of a file true"),
        ledger("log", "List commits"),
        ledger("changes", "Tell what a commit did"),
        ledger("diff", "Tell how commits or branches differ"),
        ledger("merge", "Take in another branch"),
        ledger("query", "Find rows, as they are or as they were"),
        ledger("sql", "Ask in SQL, as things are or as they were"),
        ledger("schema", "Show, compare, migrate and drop types"),
        ledger("import", "Read rows from files"),
        ledger("export", "Write rows to files"),
        ledger("index", "Verify and repair indices"),
        ledger("verify", "Verify that all files are as written"),
        ledger("compact", "Put many commits into few files"),
        ledger("gc", "Delete garbage: orphaned and superseded files"));
  }

  private static List<Verb> names() {
    return List.of(
        name("create", "Create a ledger's name without commits"),
        name("list", "List ledgers and graph sources"),
        name("show", "Show a record and its four concerns"),
        name("concern", "Read and move one concern of a record"),
        name("branch", "Make, list and drop branches"),
        name("source", "Make and list graph sources"),
        name("lock", "Take and give back soft locks"),
        name("retract", "Take a record back, to be restored"),
        name("restore", "Undo 'retract'"),
        name("purge", "Remove a record for good"),
        name("watch", "Tell what moves, as it does"),
        name("migrate", "Convert records in older forms"));
  }

  private static List<Verb> remotes() {
    return List.of(
        remote("remote", "Name other stores to pull from and push to"),
        remote("fetch", "See what is new on remotes"),
        remote("pull", "Move a ledger to where it is on a remote"),
        remote("push", "Move a ledger on a remote to where it is here"),
        remote("clone", "Copy a ledger from another store"));
  }

  private static Verb remote(String name, String summary) {
    return known(Group.REMOTES, name, summary);
  }

  private static List<Verb> servers() {
    return List.of(
        server("serve", "Serve what there is over HTTP, and look after it"),
        server("token", "Say who may ask a server for what"),
        server("status", "Show ledgers, locks and queues on one screen"),
        server("doctor", "Find out what is wrong, and what to do"));
  }

  private static Verb server(String name, String summary) {
    return known(Group.SERVER, name, summary);
  }

  private static Verb ledger(String name, String summary) {
    return known(Group.LEDGERS, name, summary);
  }

  private static Verb name(String name, String summary) {
    return known(Group.NAMES, name, summary);
  }

  private static Verb other(String name, String summary) {
    return known(Group.OTHERS, name, summary);
  }

  private static Verb known(Group group, String name, String summary) {
    return new Verb(group, name, summary, new Known(name));
  }

  /**
   * Maker of the commands of {@link #all()}. One class for all of them, since a lambda for each
   * verb is a class for each, which every start of the command would have to link.
   */
  private record Known(String name) implements Supplier<Object> {

    @Override
    public Object get() {
      return switch (name) {
        case "tour" -> new TourVerb();
        case "completion" -> new CompletionVerb();
        case "bench" -> benchmarks();
        case "help" -> new HelpVerb();
        case "ledger" -> new LedgerVerb();
        case "commit" -> new CommitVerb();
        case "log" -> new LogVerb();
        case "changes" -> new ChangesVerb();
        case "diff" -> new DiffVerb();
        case "merge" -> new MergeVerb();
        case "query" -> new QueryVerb();
        case "sql" -> new SqlVerb();
        case "schema" -> new SchemaVerb();
        case "import" -> new ImportVerb();
        case "export" -> new ExportVerb();
        case "index" -> new IndexVerb();
        case "compact" -> new CompactVerb();
        case "gc" -> new GcVerb();
        case "verify" -> new VerifyVerb();
        case "create" -> RecordVerb.create();
        case "list" -> ListVerb.spec();
        case "show" -> RecordVerb.show();
        case "concern" -> new ConcernVerb();
        case "branch" -> new BranchVerb();
        case "source" -> new SourceVerb();
        case "lock" -> new LockVerb();
        case "retract" -> RecordVerb.retract();
        case "restore" -> RecordVerb.restore();
        case "purge" -> new PurgeVerb();
        case "watch" -> new WatchVerb();
        case "migrate" -> new MigrateVerb();
        case "remote" -> new RemoteVerb();
        case "fetch" -> new FetchVerb();
        case "pull" -> new PullVerb();
        case "push" -> new PushVerb();
        case "clone" -> new CloneVerb();
        case "serve" -> new ServeVerb();
        case "token" -> new TokenVerb();
        case "status" -> new StatusVerb();
        case "doctor" -> new DoctorVerb();
        case "features" -> new FeaturesVerb();
        case "events" -> new EventsVerb();
        default -> throw new IllegalStateException("the verb " + name + " has no command");
      };
    }
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
