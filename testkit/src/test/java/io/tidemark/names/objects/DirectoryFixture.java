// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.time.Clock;

/**
 * A directory where several processes keep names; it is told to a child by its first two arguments.
 */
record DirectoryFixture(Path root, DocumentLayout layout) {

  static DirectoryFixture parse(String[] arguments) {
    return new DirectoryFixture(Path.of(arguments[0]), DocumentLayout.valueOf(arguments[1]));
  }

  /** The arguments of a child that is to work here. */
  String[] arguments(String... more) {
    String[] all = new String[2 + more.length];
    all[0] = root.toString();
    all[1] = layout.name();
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  /** What is killed here are processes, not the power, so the page cache is durable enough. */
  ObjectBackend objects() {
    return DirectoryBackend.open(root, Durability.PAGE_CACHE);
  }

  ObjectNameBackend backend(ObjectBackend objects, Retry inStore, Retry inNames) {
    return new ObjectNameBackend(
        new ObjectStore(objects, inStore), layout, inNames, Clock.systemUTC());
  }

  ObjectNameBackend backend() {
    return backend(objects(), Retry.standard(), Retry.standard());
  }

  NameService names() {
    return new NameService(backend(), NameOptions.standard().withoutNotifications());
  }
}
