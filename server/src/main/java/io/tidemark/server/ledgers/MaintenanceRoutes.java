// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CompactionRequest;
import io.tidemark.api.ledger.Damage;
import io.tidemark.api.ledger.GarbageRequest;
import io.tidemark.api.ledger.IndexRepairRequest;
import io.tidemark.api.ledger.IndexVerifyRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyProgress;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.internal.verify.VerificationCursor;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.DisconnectPolicy;
import io.tidemark.server.http.ProgressStream.ProgressSink;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Routes of the maintenance of a ledger: indices, compaction, verification and garbage. */
final class MaintenanceRoutes {

  private final LedgerCache open;
  private final LedgerServiceResolver ledgers;

  MaintenanceRoutes(LedgerCache open, LedgerServiceResolver ledgers) {
    this.open = open;
    this.ledgers = ledgers;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            LedgerRoutes.ONE + "/index",
            LedgerRoutes.permission(Action.ADMIN),
            this::verify),
        new Route(
            "GET",
            LedgerRoutes.ONE + "/verify",
            LedgerRoutes.permission(Action.ADMIN),
            this::verifyObjects),
        new Route(
            "POST",
            LedgerRoutes.ONE + "/index/repair",
            LedgerRoutes.permission(Action.ADMIN),
            this::repair),
        new Route(
            "POST",
            LedgerRoutes.ONE + "/compact",
            LedgerRoutes.permission(Action.ADMIN),
            this::compact),
        new Route(
            "POST",
            LedgerRoutes.ONE + "/gc",
            LedgerRoutes.permission(Action.ADMIN),
            this::collect));
  }

  private LedgerMaintenance maintenance(HttpRequestContext httpRequestContext) {
    return ledgers.of(httpRequestContext).maintenance();
  }

  private RouteResponse verify(HttpRequestContext httpRequestContext) {
    IndexVerifyRequest request = new IndexVerifyRequest(httpRequestContext.flag("deep"));
    return RouteResponse.ok(WireJson.tree(maintenance(httpRequestContext).verifyIndex(request)));
  }

  private RouteResponse verifyObjects(HttpRequestContext httpRequestContext) {
    VerifyRequest request =
        new VerifyRequest(httpRequestContext.flag("deep"), httpRequestContext.query("after"));
    if (ProgressStream.isAccepted(httpRequestContext)) {
      LedgerMaintenance maintenance = maintenance(httpRequestContext);
      // Checked before the answer begins, so that its status tells a failure.
      Optional<VerificationCursor> unused = request.after().map(VerificationCursor::parse);
      open.ledgers().location(LedgerRoutes.address(httpRequestContext)).close();
      return ProgressStream.reply(
          httpRequestContext,
          WireJson.tree(VerifyProgress.none()),
          DisconnectPolicy.CANCEL,
          progressSink -> WireJson.tree(maintenance.verify(request, telling(progressSink))));
    }
    Cancellation gone = new Cancellation();
    AutoCloseable departure =
        httpRequestContext.onDisconnect(
            () -> gone.cancel(new StoreUnavailableException("the caller has gone away")));
    try {
      return RouteResponse.ok(
          WireJson.tree(
              ledgers
                  .of(httpRequestContext)
                  .withCancellation(gone)
                  .maintenance()
                  .verify(request, VerifyListener.none())));
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

  private static VerifyListener telling(ProgressSink progressSink) {
    return new VerifyListener() {
      @Override
      public void progress(VerifyProgress now) {
        progressSink.update(WireJson.tree(now));
      }

      @Override
      public void found(Damage damage) {
        progressSink.add(WireJson.tree(damage));
      }
    };
  }

  private RouteResponse repair(HttpRequestContext httpRequestContext) throws IOException {
    IndexRepairRequest request = httpRequestContext.body(IndexRepairRequest.class);
    return RouteResponse.ok(WireJson.tree(maintenance(httpRequestContext).repairIndex(request)));
  }

  private RouteResponse compact(HttpRequestContext httpRequestContext) throws IOException {
    CompactionRequest request = httpRequestContext.body(CompactionRequest.class);
    return RouteResponse.ok(
        WireJson.tree(maintenance(httpRequestContext).compact(request, ProgressListener.none())));
  }

  /**
   * Collects garbage. The API description sets a minimum age, since writers that push to this
   * ledger rely on it.
   */
  private RouteResponse collect(HttpRequestContext httpRequestContext) throws IOException {
    GarbageRequest request = httpRequestContext.body(GarbageRequest.class);
    return RouteResponse.ok(
        WireJson.tree(
            maintenance(httpRequestContext).collectGarbage(request, ProgressListener.none())));
  }
}
