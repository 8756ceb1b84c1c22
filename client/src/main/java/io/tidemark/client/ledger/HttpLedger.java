// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.api.ledger.LedgerCommits;
import io.tidemark.api.ledger.LedgerData;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.api.ledger.LedgerTypes;
import java.util.function.LongConsumer;

/** Service of a ledger on a server. */
public final class HttpLedger implements LedgerService {

  private final LedgerServer server;

  HttpLedger(LedgerServer server) {
    this.server = server;
  }

  @Override
  public LedgerService until(Cancellation cancellation) {
    return new HttpLedger(server.until(cancellation));
  }

  @Override
  public LedgerSummary info(InfoRequest request) {
    return server.read(
        server
            .request("GET")
            .query("stats", Boolean.toString(request.stats()))
            .query("schema", Boolean.toString(request.schema())),
        LedgerSummary.class);
  }

  @Override
  public CommitResult commit(CommitRequest request, LongConsumer progress) {
    return new HttpRowWrites(server).commit(request);
  }

  @Override
  public LedgerData data() {
    return new HttpData(server);
  }

  @Override
  public LedgerCommits commits() {
    return new HttpCommits(server);
  }

  @Override
  public LedgerTypes types() {
    return new HttpTypes(server);
  }

  @Override
  public LedgerBranches branches() {
    return new HttpBranches(server);
  }

  @Override
  public LedgerTransfer transfer() {
    return new HttpTransfer(server);
  }

  @Override
  public LedgerMaintenance maintenance() {
    return new HttpMaintenance(server);
  }
}
