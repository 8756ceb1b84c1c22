// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameBackend;
import io.tidemark.testkit.names.NameFormContract;
import io.tidemark.testkit.names.NamesContractScale;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract holds in the dialect of Fluree too: the parts that are about what is written. The
 * dialects don't differ in the requests, which the others are about.
 */
@ExtendWith(ServerExtension.class)
class FlureeDialectNamesTest extends NameFormContract {

  private final TestTable table;

  FlureeDialectNamesTest(DynamoDbServer server) {
    table = TestTable.create(server, settings -> settings.withDialect(Dialect.FLUREE));
  }

  @Override
  protected NameBackend open() {
    return table.anotherBackend();
  }

  @Override
  protected NamesContractScale scale() {
    return NamesContractScale.slow().withOperations(200);
  }

  @AfterEach
  void closeTable() {
    table.close();
  }
}
