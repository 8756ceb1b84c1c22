// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CompactionRequest;
import io.tidemark.api.ledger.CompactionResult;
import io.tidemark.api.ledger.Damage;
import io.tidemark.api.ledger.GarbageReport;
import io.tidemark.api.ledger.GarbageRequest;
import io.tidemark.api.ledger.IndexRepairRequest;
import io.tidemark.api.ledger.IndexRepairResult;
import io.tidemark.api.ledger.IndexReport;
import io.tidemark.api.ledger.IndexVerifyRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyProgress;
import io.tidemark.api.ledger.VerifyReport;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.client.ProgressStreamReader;
import io.tidemark.client.ServerRequest;

/** Maintenance of a ledger on a server. Repeating any of it does no harm. */
record HttpMaintenance(HttpLedgerContext server) implements LedgerMaintenance {

  @Override
  public IndexReport verifyIndex(IndexVerifyRequest request) {
    ServerRequest get = server.request("GET", "index");
    return server.read(request.deep() ? get.query("deep", "true") : get, IndexReport.class);
  }

  @Override
  public IndexRepairResult repairIndex(IndexRepairRequest request) {
    return post(request, IndexRepairResult.class, "index", "repair");
  }

  private <T> T post(Object request, Class<T> result, String... steps) {
    return WireJson.read(
        server.write(server.request("POST", steps).json(WireJson.tree(request)), () -> true),
        result);
  }

  @Override
  public CompactionResult compact(CompactionRequest request, ProgressListener listener) {
    return post(request, CompactionResult.class, "compact");
  }

  @Override
  public GarbageReport collectGarbage(GarbageRequest request, ProgressListener listener) {
    return post(request, GarbageReport.class, "gc");
  }

  @Override
  public VerifyReport verify(VerifyRequest request, VerifyListener listener) {
    ServerRequest get = server.request("GET", "verify");
    if (request.deep()) {
      get = get.query("deep", "true");
    }
    if (request.after().isPresent()) {
      get = get.query("after", request.after().get());
    }
    return WireJson.read(
        ProgressStreamReader.follow(server.connection(), get, line -> notify(line, listener)),
        VerifyReport.class);
  }

  private void notify(JsonNode line, VerifyListener listener) {
    server.cancellation().check();
    if (line.has("damage")) {
      listener.found(WireJson.read(line, Damage.class));
    } else {
      listener.progress(WireJson.read(line, VerifyProgress.class));
    }
  }
}
