// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.time.AgeConverter;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.InvalidAccessException;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** {@code tidemark token create|list|remove}. */
@Command(
    description = {
      "Makes and takes away the tokens with which callers tell a server who they are.",
      "",
      "A token is shown once, when it is made; the file keeps only its hash. A server that reads"
          + " the file ('tidemark serve --tokens FILE') notices changes within a second.",
      "",
      "What a token may do is said in grants: action:realm/prefix. Actions are read, write, lock"
          + " and admin, each for itself; realms are names, features, events and server. A prefix"
          + " that ends with '/' or ':' covers every name that begins with it, any other one name"
          + " and its branches."
    },
    subcommands = {
      TokenCommand.Create.class,
      TokenCommand.ListTokens.class,
      TokenCommand.Remove.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark token create ci --grant read,write:names/acme/ --grant read:events/orders",
      "  tidemark token create dashboard --grant 'read:*' --expires 90d",
      "  tidemark token list",
      "  tidemark token remove ci"
    })
public final class TokenCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: create, list or remove");
  }

  /** Mixin of all three verbs. */
  static final class TokenFileMixin {
    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
        names = "--tokens",
        paramLabel = "FILE",
        defaultValue = "${env:TIDEMARK_TOKENS:-./tidemark-tokens}",
        description = {
          "Where the tokens are.",
          "Default: $TIDEMARK_TOKENS, else ./tidemark-tokens"
        })
    private Path file = AccessOptions.USUAL_TOKENS;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    TokenFile tokens() {
      return new TokenFile(file);
    }

    PrintWriter out() {
      return spec.commandLine().getOut();
    }
  }

  @Command(
      name = "create",
      description = "Makes a token and shows it: this once, so keep it.",
      footer = {
        "",
        "The file is made, if there is none, for its owner's eyes only.",
        "",
        "Examples:",
        "  tidemark token create ci --grant read,write:names/acme/",
        "  tidemark token create boss --grant 'read,write,lock,admin:*' --expires 8h",
        "  TIDEMARK_TOKEN=$(tidemark token create me --grant read:names --quiet)"
      })
  static final class Create implements Callable<Integer> {
    @Mixin private TokenFileMixin tokenFileMixin;

    @Parameters(
        paramLabel = "NAME",
        description = "Whose it is: the author of what is written with it.")
    private String name;

    @Option(
        names = "--grant",
        required = true,
        paramLabel = "GRANT",
        description = "What its owner may do, such as read:names/acme/; as often as you like.")
    private List<String> grants = new ArrayList<>();

    @Option(
        names = "--expires",
        paramLabel = "AGE",
        converter = AgeConverter.class,
        description = "For how long it is valid: 90s, 30m, 24h or 7d. Default: until removed")
    private @Nullable Duration expires;

    @Option(names = "--quiet", description = "Print the token and nothing else.")
    private boolean quiet;

    @Override
    public Integer call() {
      Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
      List<Grant> granted = grants.stream().flatMap(text -> parsed(text).stream()).toList();
      TokenRecord.NewToken newToken =
          TokenRecord.create(name, granted, now, Optional.ofNullable(expires).map(now::plus));
      tokenFileMixin.tokens().add(newToken.token());
      if (quiet) {
        tokenFileMixin.out().println(newToken.secret());
      } else if (tokenFileMixin.json) {
        tokenFileMixin.out().println(json(newToken.token()).put("token", newToken.secret()));
      } else {
        tokenFileMixin.out().println(newToken.secret());
        tokenFileMixin
            .out()
            .printf(
                "%n%s may: %s%nIt isn't shown again. Send it as \"Authorization: Bearer TOKEN\", or"
                    + " set TIDEMARK_TOKEN.%n",
                name, text(granted));
      }
      return ExitCodes.OK;
    }

    private List<Grant> parsed(String text) {
      try {
        return Grant.parse(text);
      } catch (InvalidAccessException e) {
        throw new ParameterException(
            tokenFileMixin.spec.commandLine(), String.valueOf(e.getMessage()));
      }
    }
  }

  @Command(
      name = "list",
      description = "Lists tokens and what they may do; not the tokens themselves.",
      footer = {"", "Examples:", "  tidemark token list", "  tidemark token list --json"})
  static final class ListTokens implements Callable<Integer> {
    @Mixin private TokenFileMixin tokenFileMixin;

    @Override
    public Integer call() {
      List<TokenRecord> tokens = tokenFileMixin.tokens().read();
      if (tokenFileMixin.json) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        tokens.forEach(tokenRecord -> all.add(json(tokenRecord)));
        tokenFileMixin.out().println(all);
      } else if (!tokens.isEmpty()) {
        List<List<String>> table = new ArrayList<>();
        table.add(List.of("NAME", "ID", "EXPIRES", "MAY"));
        for (TokenRecord tokenRecord : tokens) {
          String until = tokenRecord.expires().map(Instant::toString).orElse("-");
          table.add(
              List.of(tokenRecord.name(), tokenRecord.id(), until, text(tokenRecord.grants())));
        }
        tokenFileMixin.out().println(Table.aligned(table));
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "remove",
      description = "Takes a token away: who has it is unknown from then on.",
      footer = {"", "Examples:", "  tidemark token remove ci"})
  static final class Remove implements Callable<Integer> {
    @Mixin private TokenFileMixin tokenFileMixin;

    @Parameters(paramLabel = "NAME", description = "Whose it is.")
    private String name;

    @Override
    public Integer call() {
      tokenFileMixin.tokens().remove(name);
      tokenFileMixin
          .out()
          .println(
              tokenFileMixin.json
                  ? JsonNodeFactory.instance.objectNode().put("removed", name).toString()
                  : "removed " + name);
      return ExitCodes.OK;
    }
  }

  private static String text(List<Grant> grants) {
    return grants.isEmpty()
        ? "nothing"
        : grants.stream().map(Grant::toString).collect(Collectors.joining(" "));
  }

  private static ObjectNode json(TokenRecord tokenRecord) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", tokenRecord.name()).put("id", tokenRecord.id());
    ArrayNode grants = json.putArray("grants");
    tokenRecord.grants().forEach(grant -> grants.add(grant.toString()));
    json.put("created", tokenRecord.created().toString());
    json.put("expires", tokenRecord.expires().map(Instant::toString).orElse(null));
    return json;
  }
}
