// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.nio.file.Path;

/** What the tests of the verbs on events share. */
abstract class EventCommandFixture extends LedgerCommandFixture {

  final String publish(String id, String... more) {
    return done(with(more, "events", "publish", "order.created", "{\"order\":1}", "--id", id));
  }

  final Path stored(String path) {
    return directory.resolve("data").resolve(path);
  }
}
