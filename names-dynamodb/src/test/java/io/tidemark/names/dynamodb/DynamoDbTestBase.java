// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that has a table of its own, empty when it begins, and sees each request to it. */
@ExtendWith(ServerExtension.class)
abstract class DynamoDbTestBase {

  final TestTable table;
  final NameBackend backend;
  final NameService names;
  final LossyInterceptor wire;

  DynamoDbTestBase(DynamoDbServer server) {
    table = TestTable.create(server);
    backend = table.backend();
    names = table.names();
    wire = table.wire();
  }

  @AfterEach
  final void close() {
    table.close();
  }
}
