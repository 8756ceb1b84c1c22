// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.TypeVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Option for the schema that rows are shown in, and the note about rows of other versions. */
final class SchemaOption {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--schema-as-of-commit",
      arity = "0..1",
      paramLabel = "N",
      preprocessor = CommitOrNone.class,
      description = {
        "In the schema that held at this commit, with the fields",
        "of then. Without N, at the moment of --as-of."
      })
  private @Nullable String commit;

  /**
   * Preprocessor that takes the word after the option only if it is a commit; a joined value has to
   * be one.
   */
  static final class CommitOrNone implements IParameterPreprocessor {

    private static final String SEPARATE = " ";

    @Override
    public boolean preprocess(
        Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      boolean given = !args.isEmpty() && args.peek().matches("[0-9]{1,18}");
      if (!given && !SEPARATE.equals(info.get("separator"))) {
        throw new ParameterException(
            command.commandLine(),
            "--schema-as-of-commit takes a commit such as 17, unlike '" + args.peek() + "'");
      }
      option.setValue(given ? args.pop() : "");
      return true;
    }
  }

  /**
   * Returns the commit whose schemas were asked for.
   *
   * @param asOf state whose commit is meant if none was given
   */
  OptionalLong commit(LedgerService ledger, Optional<AsOf> asOf) {
    if (commit == null) {
      return OptionalLong.empty();
    }
    if (!commit.isEmpty()) {
      return OptionalLong.of(Long.parseLong(commit));
    }
    AsOf moment =
        asOf.orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--schema-as-of-commit needs a commit, or --as-of beside it"));
    List<TypeVersion> types = ledger.types().list();
    if (types.isEmpty()) {
      return OptionalLong.empty();
    }
    TypeVersion any = types.get(0);
    QueryRequest nothing = QueryRequest.of(any.typeKind() + ":" + any.typeName()).limit(0);
    return OptionalLong.of(ledger.queries().page(nothing.asOf(moment)).commitId());
  }

  /** Prints a note on standard error which rows are of other versions of their schema. */
  void note(List<SchemaVersionMix> mixes) {
    mixes.forEach(mix -> spec.commandLine().getErr().println("tidemark: " + mix));
  }
}
