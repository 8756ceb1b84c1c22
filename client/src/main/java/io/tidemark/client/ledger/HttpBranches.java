// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.BranchDropResult;
import io.tidemark.api.ledger.BranchEntry;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.FinishDropsResult;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import java.util.List;
import java.util.function.LongConsumer;

/** Branches of a ledger on a server. */
record HttpBranches(HttpLedgerContext server) implements LedgerBranches {

  @Override
  public List<BranchEntry> list() {
    return server.pages(server.request("GET", "branches"), BranchEntry.class);
  }

  @Override
  public BranchEntry create(BranchRequest request) {
    return WireJson.read(
        server.write(server.request("POST", "branches").json(WireJson.tree(request)), () -> true),
        BranchEntry.class);
  }

  @Override
  public BranchDropResult drop(String branch) {
    return WireJson.read(
        server.write(
            server.request("DELETE", "branches", branch),
            () -> list().stream().anyMatch(each -> each.branch().equals(branch))),
        BranchDropResult.class);
  }

  @Override
  public FinishDropsResult finishDrops() {
    return WireJson.read(
        server.write(server.request("POST", "branches", "finish-drops"), () -> true),
        FinishDropsResult.class);
  }

  @Override
  public MergeResult merge(MergeRequest request, LongConsumer progress) {
    ServerRequest post = server.request("POST", "merge").json(WireJson.tree(request));
    ServerResponse serverResponse = server.send(post, () -> !request.apply());
    return WireJson.read(
        serverResponse.code().equals("merge-conflict")
            ? serverResponse.json().path("merge")
            : serverResponse.orThrow().json(),
        MergeResult.class);
  }
}
