// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.OperationHistory;
import io.tidemark.testkit.names.RandomNamesWorkload;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes get lost on their way there or back; what callers are told must still be explicable. */
@ExtendWith(ServerExtension.class)
class DynamoDbRandomFaultsTest {

  @Test
  void whateverIsLostEveryRegisterStaysLinearizable(DynamoDbServer server) throws Exception {
    Seed seed = Seed.of("DynamoDbRandomFaultsTest");
    try (TestTable table = TestTable.create(server);
        DynamoDbNameBackend calm = table.anotherBackend()) {
      table.wire().loseAtRandom(seed.random(), 15);
      RandomNamesWorkload random =
          new RandomNamesWorkload(
              calm, List.of(table.backend()), seed, 6, Boolean.getBoolean("soak") ? 20_000 : 1_500);

      OperationHistory operationHistory = random.run();

      assertThat(LinearizabilityChecker.check(operationHistory, RandomNamesWorkload::initial))
          .as("%s", seed)
          .isEmpty();
    }
  }
}
