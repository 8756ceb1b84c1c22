// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.testkit.servers.PostgresServer;
import java.util.concurrent.atomic.AtomicInteger;

/** A fresh storage for a test, with somebody who uses plain SQL on it. */
final class TestStorage implements AutoCloseable {

  static final Actor ALICE = Actor.app("app1").by("alice");

  private static final AtomicInteger NUMBER = new AtomicInteger();

  final String url;
  final Features features;
  final Psql psql;

  private TestStorage(String url) {
    this.url = url;
    this.features = Features.open(url, "store");
    this.psql = Psql.connect(url);
  }

  static TestStorage in(PostgresServer server) {
    return new TestStorage(server.createDatabase());
  }

  /** The id of a new collection in one table, which is quicker to make. */
  String small() {
    return create(CollectionOptions.none().unpartitioned());
  }

  String create(CollectionOptions options) {
    String id = "c" + NUMBER.incrementAndGet();
    features.transact(ALICE, tx -> tx.collections().create(id, options));
    return id;
  }

  @Override
  public void close() {
    psql.close();
    features.close();
  }
}
