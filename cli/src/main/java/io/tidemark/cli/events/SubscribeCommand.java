// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventService;
import io.tidemark.api.events.SubscribeRequest;
import io.tidemark.api.events.SubscribeResult;
import io.tidemark.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark events subscribe TYPE}. */
@Command(
    name = "subscribe",
    description =
        "Subscribes a webhook to events. Each server of the data ('tidemark serve') posts each"
            + " event to the address, signed with the secret, until it is answered with 2xx.",
    footer = {
      "",
      "Without --secret-file a new secret is made, and shown this once. Servers post to",
      "public addresses alone unless they run with --webhook-addresses any. They publish",
      "changes of names, such as names.head.moved, to namespaces that subscribe to them.",
      "",
      "Examples:",
      "  tidemark events subscribe order.created --url https://example.org/hook",
      "  tidemark events subscribe names.head.moved --url https://example.org/hook",
      "  tidemark events subscribe order.created,order.paid --handler billing \\",
      "      --url https://example.org/hook --secret-file billing.secret --json"
    })
final class SubscribeCommand implements Callable<Integer> {

  @Mixin private NamespaceMixin choice;

  @Parameters(
      paramLabel = "TYPE",
      split = ",",
      arity = "1",
      description = "Types of the events, separated by commas.")
  private List<String> types = List.of();

  @Option(
      names = "--url",
      required = true,
      paramLabel = "URL",
      description = "Address that each event is posted to.")
  private String url;

  @Option(
      names = "--handler",
      paramLabel = "ID",
      description = "Id of the handler. Default: made of types and address")
  private @Nullable String handler;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "File with the secret, in its first line.")
  private @Nullable Path secretFile;

  @Override
  public Integer call() {
    Optional<String> secret =
        Optional.ofNullable(secretFile)
            .map(file -> TextArgument.resolve("@" + file).lines().findFirst().orElse(""));
    SubscribeRequest request =
        new SubscribeRequest(types, url, Optional.ofNullable(handler), secret);
    return choice.with(events -> subscribe(events, request));
  }

  private int subscribe(EventService events, SubscribeRequest request) {
    SubscribeResult done = events.subscriptions().subscribe(request);
    String text =
        "subscribed %s at %s"
            .formatted(done.subscription().handler(), done.subscription().target());
    choice
        .bus()
        .print(
            done,
            done.secret()
                .map(shown -> text + System.lineSeparator() + "its secret, shown once: " + shown)
                .orElse(text));
    return ExitCodes.OK;
  }
}
