// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameBackend;
import io.tidemark.testkit.names.ConfigContract;
import io.tidemark.testkit.names.GraphSourceContract;
import io.tidemark.testkit.names.HeadContract;
import io.tidemark.testkit.names.IndexContract;
import io.tidemark.testkit.names.NameBackendContract;
import io.tidemark.testkit.names.NamesContract;
import io.tidemark.testkit.names.NamesScale;
import io.tidemark.testkit.names.PayloadContract;
import io.tidemark.testkit.names.RecordContract;
import io.tidemark.testkit.names.RetractContract;
import io.tidemark.testkit.names.StatusContract;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract holds in the dialect of Fluree too: the parts that are about what is written. The
 * dialects don't differ in the requests, which the others are about.
 */
@ExtendWith(Servers.class)
class FlureeDialectNamesTest extends NamesContract
    implements RecordContract,
        HeadContract,
        IndexContract,
        StatusContract,
        ConfigContract,
        RetractContract,
        GraphSourceContract,
        PayloadContract,
        NameBackendContract {

  private final TestTable table;

  FlureeDialectNamesTest(DynamoDbServer server) {
    table = TestTable.create(server, settings -> settings.withDialect(Dialect.FLUREE));
  }

  @Override
  protected NameBackend open() {
    return table.anotherBackend();
  }

  @Override
  protected NamesScale scale() {
    return NamesScale.slow().withOperations(200);
  }

  @AfterEach
  void closeTable() {
    table.close();
  }
}
