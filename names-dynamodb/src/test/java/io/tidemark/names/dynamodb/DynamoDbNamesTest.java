// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameBackend;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesContractScale;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ServerExtension.class)
class DynamoDbNamesTest extends NameServiceContract {

  private final TestTable table;

  DynamoDbNamesTest(DynamoDbServer server) {
    table = TestTable.create(server);
  }

  @Override
  protected NameBackend open() {
    return table.anotherBackend();
  }

  @Override
  protected NamesContractScale scale() {
    return NamesContractScale.slow();
  }

  @AfterEach
  void closeTable() {
    table.close();
  }
}
