// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.core.type.TypeReference;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CommitOutcome;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureTail;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.SequenceResult;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.client.ServerRequest;
import java.util.OptionalLong;

/** Transaction log of a server. */
record HttpFeatureLog(FeatureServer server) implements FeatureLog {

  private static final String TRANSACTIONS = "transactions";

  @Override
  public Page<FeatureTransaction> list(TransactionsRequest request) {
    ServerRequest listing = listing(request.start());
    return FeatureServer.pages(
        request.limit(),
        request.cursor(),
        (limit, cursor) ->
            WireJson.read(
                server.json(FeatureServer.part(listing, limit, cursor)),
                new TypeReference<Page<FeatureTransaction>>() {}));
  }

  private ServerRequest listing(TransactionsRequest.Start start) {
    ServerRequest all = server.request("GET", "v1", TRANSACTIONS);
    if (start instanceof TransactionsRequest.FromTxn from) {
      return all.query("from", Long.toString(from.txn()));
    }
    if (start instanceof TransactionsRequest.FromNumber from) {
      return all.query("seq", Long.toString(from.number()));
    }
    return start instanceof TransactionsRequest.WithMessage message
        ? all.query("message", message.id())
        : all;
  }

  @Override
  public FeatureTransaction get(long txn) {
    return server.send(
        server.request("GET", "v1", TRANSACTIONS, Long.toString(txn)), FeatureTransaction.class);
  }

  @Override
  public FeatureChanges changes(OptionalLong after, int limit) {
    ServerRequest changes =
        server
            .request("GET", "v1", "changes")
            .query("limit", Integer.toString(Math.min(FeatureServer.PAGE, limit)));
    return server.send(
        after.isPresent() ? changes.query("after", Long.toString(after.getAsLong())) : changes,
        FeatureChanges.class);
  }

  @Override
  public FeatureTail follow(OptionalLong after) {
    return new HttpFeatureTail(
        server, after.isPresent() ? after.getAsLong() : changes(after, 1).after());
  }

  @Override
  public SequenceResult sequence() {
    return server.send(
        server.request("POST", "v1", TRANSACTIONS, "sequence"), SequenceResult.class);
  }

  @Override
  public CommitOutcome outcome(String transaction, String began) {
    return server.send(
        server
            .request("GET", "v1", TRANSACTIONS, "outcome")
            .query("transaction", transaction)
            .query("began", began),
        CommitOutcome.class);
  }
}
