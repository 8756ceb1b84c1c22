// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.names.Address;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes.Other;
import io.tidemark.remotes.view.RemotesView;
import io.tidemark.remotes.view.RemotesView.Move;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is to be pushed or pulled, and from or to where: all that the two verbs have in common. */
final class MovedLedger {

  @Mixin private RemotesChoice options;

  @Parameters(
      index = "0",
      paramLabel = "LEDGER",
      converter = AddressConverter.class,
      description = "The name of the ledger here, or name:branch.")
  private Address local;

  @Option(
      names = "--remote",
      paramLabel = "NAME",
      converter = RemoteNameConverter.class,
      description = "Which remote. Default: that of its upstream")
  private @Nullable RemoteName remote;

  @Option(names = "--set-upstream", description = "Do so from now on when no remote is named.")
  private boolean follow;

  int pull(@Nullable Address there) {
    JsonNode outcome =
        options.answer(view -> view.pull(move(there)), server -> server.pull(json(there)));
    return options.say(new ShownOutcome(ShownOutcome.Way.PULL, outcome));
  }

  int push(@Nullable Address there) {
    JsonNode outcome =
        options.answer(view -> view.push(move(there)), server -> server.push(json(there)));
    return options.say(new ShownOutcome(ShownOutcome.Way.PUSH, outcome));
  }

  private RemotesView.Move move(@Nullable Address there) {
    Other other = new Other(Optional.ofNullable(remote), Optional.ofNullable(there));
    return new Move(local, other, follow);
  }

  private ObjectNode json(@Nullable Address there) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("local", local.toString())
        .put("remote", remote == null ? null : remote.text())
        .put("there", there == null ? null : there.toString())
        .put("follow", follow);
  }
}
