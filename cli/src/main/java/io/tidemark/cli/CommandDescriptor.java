// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.events.EventsCommand;
import io.tidemark.cli.features.FeaturesCommand;
import io.tidemark.cli.ledger.BranchVerb;
import io.tidemark.cli.ledger.ChangesCommand;
import io.tidemark.cli.ledger.CommitCommand;
import io.tidemark.cli.ledger.CompactCommand;
import io.tidemark.cli.ledger.DiffCommand;
import io.tidemark.cli.ledger.ExportCommand;
import io.tidemark.cli.ledger.GcCommand;
import io.tidemark.cli.ledger.ImportCommand;
import io.tidemark.cli.ledger.IndexCommand;
import io.tidemark.cli.ledger.LedgerCommand;
import io.tidemark.cli.ledger.LogCommand;
import io.tidemark.cli.ledger.MergeCommand;
import io.tidemark.cli.ledger.QueryCommand;
import io.tidemark.cli.ledger.SchemaCommand;
import io.tidemark.cli.ledger.SqlCommand;
import io.tidemark.cli.ledger.VerifyCommand;
import io.tidemark.cli.names.ConcernCommand;
import io.tidemark.cli.names.ListCommand;
import io.tidemark.cli.names.LockCommand;
import io.tidemark.cli.names.MigrateCommand;
import io.tidemark.cli.names.PurgeCommand;
import io.tidemark.cli.names.RecordCommand;
import io.tidemark.cli.names.SourceCommand;
import io.tidemark.cli.names.WatchCommand;
import io.tidemark.cli.remotes.CloneCommand;
import io.tidemark.cli.remotes.FetchCommand;
import io.tidemark.cli.remotes.PullCommand;
import io.tidemark.cli.remotes.PushCommand;
import io.tidemark.cli.remotes.RemoteCommand;
import io.tidemark.cli.server.DoctorCommand;
import io.tidemark.cli.server.ServeCommand;
import io.tidemark.cli.server.StatusCommand;
import io.tidemark.cli.server.TokenCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Descriptor of a verb of the {@code tidemark} command, known by name before its classes are
 * loaded.
 *
 * @param group group of the verb in the help
 * @param name verb that the user types
 * @param summary one line for the help, without a full stop
 * @param command supplier of the picocli command: a {@link CommandSpec}, or an annotated object
 *     that is {@link Runnable} or {@link java.util.concurrent.Callable}. Called only when the verb
 *     is named on the command line
 */
record CommandDescriptor(Group group, String name, String summary, Supplier<Object> command) {

  /** Group of verbs, in the order of the help. */
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
   * Returns every verb, in the order of the help. To add one, write its picocli class, a line here
   * and a case in {@link CommandFactory}.
   */
  static List<CommandDescriptor> all() {
    List<CommandDescriptor> verbs = new ArrayList<>(ledgers());
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

  private static List<CommandDescriptor> ledgers() {
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

  private static List<CommandDescriptor> names() {
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

  private static List<CommandDescriptor> remotes() {
    return List.of(
        remote("remote", "Name other stores to pull from and push to"),
        remote("fetch", "See what is new on remotes"),
        remote("pull", "Move a ledger to where it is on a remote"),
        remote("push", "Move a ledger on a remote to where it is here"),
        remote("clone", "Copy a ledger from another store"));
  }

  private static CommandDescriptor remote(String name, String summary) {
    return known(Group.REMOTES, name, summary);
  }

  private static List<CommandDescriptor> servers() {
    return List.of(
        server("serve", "Serve what there is over HTTP, and look after it"),
        server("token", "Say who may ask a server for what"),
        server("status", "Show ledgers, locks and queues on one screen"),
        server("doctor", "Find out what is wrong, and what to do"));
  }

  private static CommandDescriptor server(String name, String summary) {
    return known(Group.SERVER, name, summary);
  }

  private static CommandDescriptor ledger(String name, String summary) {
    return known(Group.LEDGERS, name, summary);
  }

  private static CommandDescriptor name(String name, String summary) {
    return known(Group.NAMES, name, summary);
  }

  private static CommandDescriptor other(String name, String summary) {
    return known(Group.OTHERS, name, summary);
  }

  private static CommandDescriptor known(Group group, String name, String summary) {
    return new CommandDescriptor(group, name, summary, new CommandFactory(name));
  }

  /**
   * Factory of the commands of {@link #all()}. One class for all of them, since a lambda for each
   * verb is a class for each, which every start of the command would have to link.
   */
  private record CommandFactory(String name) implements Supplier<Object> {

    @Override
    public Object get() {
      return switch (name) {
        case "tour" -> new TourCommand();
        case "completion" -> new CompletionCommand();
        case "bench" -> benchmarks();
        case "help" -> new HelpCommand();
        case "ledger" -> new LedgerCommand();
        case "commit" -> new CommitCommand();
        case "log" -> new LogCommand();
        case "changes" -> new ChangesCommand();
        case "diff" -> new DiffCommand();
        case "merge" -> new MergeCommand();
        case "query" -> new QueryCommand();
        case "sql" -> new SqlCommand();
        case "schema" -> new SchemaCommand();
        case "import" -> new ImportCommand();
        case "export" -> new ExportCommand();
        case "index" -> new IndexCommand();
        case "compact" -> new CompactCommand();
        case "gc" -> new GcCommand();
        case "verify" -> new VerifyCommand();
        case "create" -> RecordCommand.create();
        case "list" -> ListCommand.spec();
        case "show" -> RecordCommand.show();
        case "concern" -> new ConcernCommand();
        case "branch" -> new BranchVerb();
        case "source" -> new SourceCommand();
        case "lock" -> new LockCommand();
        case "retract" -> RecordCommand.retract();
        case "restore" -> RecordCommand.restore();
        case "purge" -> new PurgeCommand();
        case "watch" -> new WatchCommand();
        case "migrate" -> new MigrateCommand();
        case "remote" -> new RemoteCommand();
        case "fetch" -> new FetchCommand();
        case "pull" -> new PullCommand();
        case "push" -> new PushCommand();
        case "clone" -> new CloneCommand();
        case "serve" -> new ServeCommand();
        case "token" -> new TokenCommand();
        case "status" -> new StatusCommand();
        case "doctor" -> new DoctorCommand();
        case "features" -> new FeaturesCommand();
        case "events" -> new EventsCommand();
        default -> throw new IllegalStateException("the verb " + name + " has no command");
      };
    }
  }

  /**
   * Returns the benchmarks, which aren't installed everywhere, since their dependencies are large.
   */
  private static Object benchmarks() {
    try {
      return Class.forName("io.tidemark.bench.BenchCommand").getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      return new NotInstalledCommand(
          "run ./tidemark bench in the source tree, which has them built");
    }
  }

  /** Returns the picocli specification of the verb. */
  CommandSpec load() {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command.get()).name(name);
    if (spec.usageMessage().description().length == 0) {
      spec.usageMessage().description(summary + ".");
    }
    return spec;
  }
}
