// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.BranchDropResult;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.FinishedDrops;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.api.ledger.ListedBranch;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.client.Answer;
import io.tidemark.client.Request;
import java.util.List;
import java.util.function.LongConsumer;

/** Branches of a ledger on a server. */
record HttpBranches(LedgerServer server) implements LedgerBranches {

  @Override
  public List<ListedBranch> list() {
    return server.pages(server.request("GET", "branches"), ListedBranch.class);
  }

  @Override
  public ListedBranch create(BranchRequest request) {
    return WireJson.read(
        server.write(server.request("POST", "branches").json(WireJson.tree(request)), () -> true),
        ListedBranch.class);
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
  public FinishedDrops finishDrops() {
    return WireJson.read(
        server.write(server.request("POST", "branches", "finish-drops"), () -> true),
        FinishedDrops.class);
  }

  @Override
  public MergeResult merge(MergeRequest request, LongConsumer progress) {
    Request post = server.request("POST", "merge").json(WireJson.tree(request));
    Answer answer = server.answer(post, () -> !request.apply());
    return WireJson.read(
        answer.code().equals("merge-conflict")
            ? answer.json().path("merge")
            : answer.orThrow().json(),
        MergeResult.class);
  }
}
