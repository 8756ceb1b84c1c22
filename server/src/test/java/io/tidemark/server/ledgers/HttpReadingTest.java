// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.Tidemark;
import io.tidemark.testkit.ledger.LedgerReadingContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Runs the contract of reading ledgers over HTTP, on a real server. */
class HttpReadingTest extends LedgerReadingContract {

  private final List<LedgerTestServer> opened = new ArrayList<>();

  @Override
  protected Tidemark open() {
    LedgerTestServer house = new LedgerTestServer(directory);
    opened.add(house);
    assertThat(house.post("/v1/ledgers", "{\"ledger\":\"crm\"}").statusCode()).isEqualTo(201);
    for (int i = 0; i < COMMITS.size(); i++) {
      String metadata = i == 1 ? ",\"metadata\":{\"ticket\":\"42\"}" : "";
      String body =
          "{\"schema\":%s,\"rows\":[%s]%s}"
              .formatted(TYPES, String.join(",", COMMITS.get(i)), metadata);
      assertThat(house.post("/v1/ledgers/crm/commits", body).statusCode()).isEqualTo(201);
    }
    // Indices and the name follow a commit; the contract is about the state after that.
    await()
        .untilAsserted(
            () -> {
              JsonNode info = house.json(house.get("/v1/ledgers/crm"));
              assertThat(info.path("last_index_warning").isNull()).isTrue();
              assertThat(house.get("/v1/ledgers").body()).contains("\"head_commit_id\":3");
            });
    return Tidemark.open(address(house));
  }

  /** Returns the address of the server that is asked. */
  String address(LedgerTestServer house) {
    return house.server.uri("").toString();
  }

  @AfterEach
  void stop() {
    opened.forEach(LedgerTestServer::close);
  }
}
