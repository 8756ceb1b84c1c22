// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CompactionRequest;
import io.tidemark.api.ledger.Damage;
import io.tidemark.api.ledger.GarbageRequest;
import io.tidemark.api.ledger.IndexRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.RepairRequest;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyProgress;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.internal.verify.VerifyCursor;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.CallerGone;
import io.tidemark.server.http.ProgressStream.Lines;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Looking after a ledger: its indices, its files, and what is left over. */
final class CareRoutes {

  private final LedgerCache open;
  private final LedgerServices ledgers;

  CareRoutes(LedgerCache open, LedgerServices ledgers) {
    this.open = open;
    this.ledgers = ledgers;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET", LedgerRoutes.ONE + "/index", LedgerRoutes.need(Action.ADMIN), this::verify),
        new Route(
            "GET",
            LedgerRoutes.ONE + "/verify",
            LedgerRoutes.need(Action.ADMIN),
            this::verifyObjects),
        new Route(
            "POST",
            LedgerRoutes.ONE + "/index/repair",
            LedgerRoutes.need(Action.ADMIN),
            this::repair),
        new Route(
            "POST", LedgerRoutes.ONE + "/compact", LedgerRoutes.need(Action.ADMIN), this::compact),
        new Route(
            "POST", LedgerRoutes.ONE + "/gc", LedgerRoutes.need(Action.ADMIN), this::collect));
  }

  private LedgerMaintenance maintenance(Call call) {
    return ledgers.of(call).maintenance();
  }

  private Reply verify(Call call) {
    IndexRequest request = new IndexRequest(call.flag("deep"));
    return Reply.ok(WireJson.tree(maintenance(call).verifyIndex(request)));
  }

  private Reply verifyObjects(Call call) {
    VerifyRequest request = new VerifyRequest(call.flag("deep"), call.query("after"));
    if (ProgressStream.isAccepted(call)) {
      LedgerMaintenance maintenance = maintenance(call);
      // Before the answer begins, so that its status tells what is wrong.
      Optional<VerifyCursor> unused = request.after().map(VerifyCursor::parse);
      open.ledgers().place(LedgerRoutes.address(call)).close();
      return ProgressStream.reply(
          call,
          WireJson.tree(VerifyProgress.none()),
          CallerGone.CANCEL,
          lines -> WireJson.tree(maintenance.verify(request, telling(lines))));
    }
    Cancellation gone = new Cancellation();
    AutoCloseable departure =
        call.onDeparture(
            () -> gone.cancel(new StoreUnavailableException("the caller has gone away")));
    try {
      return Reply.ok(
          WireJson.tree(
              ledgers.of(call).until(gone).maintenance().verify(request, VerifyListener.none())));
    } finally {
      close(departure);
    }
  }

  private static void close(AutoCloseable departure) {
    try {
      departure.close();
    } catch (Exception e) {
      throw new IllegalStateException("a watch on a connection couldn't be ended", e);
    }
  }

  private static VerifyListener telling(Lines lines) {
    return new VerifyListener() {
      @Override
      public void progress(VerifyProgress now) {
        lines.now(WireJson.tree(now));
      }

      @Override
      public void found(Damage damage) {
        lines.add(WireJson.tree(damage));
      }
    };
  }

  private Reply repair(Call call) throws IOException {
    RepairRequest request = call.body(RepairRequest.class);
    return Reply.ok(WireJson.tree(maintenance(call).repairIndex(request)));
  }

  private Reply compact(Call call) throws IOException {
    CompactionRequest request = call.body(CompactionRequest.class);
    return Reply.ok(WireJson.tree(maintenance(call).compact(request, ProgressListener.none())));
  }

  /** Others may push to this ledger, who rely on that age; so the description takes no less. */
  private Reply collect(Call call) throws IOException {
    GarbageRequest request = call.body(GarbageRequest.class);
    return Reply.ok(
        WireJson.tree(maintenance(call).collectGarbage(request, ProgressListener.none())));
  }
}
