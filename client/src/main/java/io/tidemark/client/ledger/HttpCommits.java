// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.core.type.TypeReference;
import io.tidemark.api.Page;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitChangesHeader;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.LedgerCommits;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedDocument;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Commits of a ledger on a server. */
record HttpCommits(HttpLedgerContext server) implements LedgerCommits {

  private static final int PAGE = 1000;
  private static final String COMMITS = "commits";

  @Override
  public long head() {
    return list(CommitsRequest.newest(1)).items().stream()
        .map(CommitSummary::commitId)
        .findFirst()
        .orElse(0L);
  }

  @Override
  public Page<CommitSummary> list(CommitsRequest request) {
    ServerRequest listing =
        server
            .request("GET", COMMITS)
            .query("since", Long.toString(request.since()))
            .query("limit", Integer.toString(Math.min(PAGE, request.limit())));
    for (Map.Entry<String, String> each : new TreeMap<>(request.meta()).entrySet()) {
      listing = listing.query("meta", each.getKey() + "=" + each.getValue());
    }
    if (request.cursor().isPresent()) {
      listing = listing.query("cursor", request.cursor().get());
    }
    return WireJson.read(server.read(listing), new TypeReference<Page<CommitSummary>>() {});
  }

  @Override
  public CommitSummary get(long id) {
    return server.read(server.request("GET", COMMITS, Long.toString(id)), CommitSummary.class);
  }

  @Override
  public ResultStream<CommitChangesHeader, RowChange> changes(long id) {
    return StreamedDocument.document(
        server.open(server.request("GET", COMMITS, Long.toString(id), "changes")),
        "changes",
        CommitChangesHeader.class,
        change -> WireJson.read(change, RowChange.class));
  }

  @Override
  public ResultStream<DiffSummary, RowDifference> diff(DiffRequest request, LongConsumer progress) {
    ServerRequest diff =
        server
            .request("GET", "diff")
            .query("from", request.from())
            .query("to", request.to())
            .query("stat", Boolean.toString(request.stat()));
    if (request.schemaAsOfCommit().isPresent()) {
      diff = diff.query("schemaAsOfCommit", Long.toString(request.schemaAsOfCommit().getAsLong()));
    }
    return StreamedDocument.document(
        server.open(diff),
        "differences",
        DiffSummary.class,
        each -> WireJson.read(each, RowDifference.class));
  }
}
