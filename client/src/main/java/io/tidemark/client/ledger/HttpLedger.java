// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.api.ledger.LedgerCommits;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.api.ledger.LedgerTypes;
import java.util.function.LongConsumer;

/** Service of a ledger on a server. */
public final class HttpLedger implements LedgerService {

  private final HttpLedgerContext server;

  HttpLedger(HttpLedgerContext server) {
    this.server = server;
  }

  @Override
  public LedgerService withCancellation(Cancellation cancellation) {
    return new HttpLedger(server.withCancellation(cancellation));
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
    return new HttpRowWriter(server).commit(request);
  }

  @Override
  public LedgerQueries queries() {
    return new HttpQueries(server);
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
