// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.BusOptions;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which events: what the verbs take that are about one namespace. */
final class NamespaceChoice {

  static final String USUAL = "default";

  @Mixin private BusChoice bus;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Which part of the bus. Default: " + USUAL)
  private String namespace = USUAL;

  /** Opens the bus, does something with the namespace and closes it. */
  int with(ToIntFunction<Namespace> work) {
    return with(bus.settings(), work);
  }

  /** The same, with settings of its own. */
  int with(BusOptions settings, ToIntFunction<Namespace> work) {
    return bus.with(settings, opened -> work.applyAsInt(opened.namespace(namespace)));
  }

  /** The same for those who need more than the namespace. */
  int withBus(ToIntFunction<EventBus> work) {
    return bus.with(work);
  }

  /** What all verbs share. */
  BusChoice bus() {
    return bus;
  }

  String name() {
    return namespace;
  }
}
