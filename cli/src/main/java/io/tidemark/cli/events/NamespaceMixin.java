// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventService;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin of the verbs on one namespace. */
final class NamespaceMixin {

  static final String USUAL = "default";

  @Mixin private EventBusMixin bus;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Which part of the bus. Default: " + USUAL)
  private String namespace = USUAL;

  /** Opens the bus, applies work to the events of the namespace and closes the bus. */
  int with(ToIntFunction<EventService> work) {
    return bus.with(opened -> work.applyAsInt(opened.namespace(namespace)));
  }

  /** Returns the options that all verbs on events share. */
  EventBusMixin bus() {
    return bus;
  }

  String name() {
    return namespace;
  }
}
