// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.IndexCare;
import io.tidemark.ledger.IndexCare.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Leftovers;
import io.tidemark.ledger.Leftovers.Leftover;
import io.tidemark.ledger.compact.Compaction;
import io.tidemark.ledger.compact.Extent;
import io.tidemark.ledger.compact.Plan;
import io.tidemark.ledger.compact.Progress;
import io.tidemark.ledger.compact.Superseded.Old;
import io.tidemark.ledger.named.NamedLedgers;
import io.tidemark.ledger.verify.Damage;
import io.tidemark.ledger.verify.Verification;
import io.tidemark.ledger.verify.VerifyCursor;
import io.tidemark.ledger.verify.VerifyDepth;
import io.tidemark.ledger.verify.VerifyListener;
import io.tidemark.ledger.verify.VerifyProgress;
import io.tidemark.ledger.view.CareJson;
import io.tidemark.ledger.view.VerifyJson;
import io.tidemark.names.Address;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.CallerGone;
import io.tidemark.server.http.ProgressStream.Lines;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Looking after a ledger: its indices, its files, and what is left over. */
final class CareRoutes {

  private final LedgerCache open;

  CareRoutes(LedgerCache open) {
    this.open = open;
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

  private static Depth depth(boolean deep) {
    return deep ? Depth.EVERY_COMMIT : Depth.NEWEST;
  }

  private Reply verify(Call call) {
    Depth depth = depth(call.flag("deep"));
    return open.with(
        LedgerRoutes.address(call),
        ledger -> Reply.ok(CareJson.verified(ledger.indices().verify(depth))));
  }

  /**
   * Verifies the objects of a ledger. It isn't opened for that, which a ledger with a damaged head
   * couldn't be.
   */
  private Reply verifyObjects(Call call) {
    VerifyDepth depth = call.flag("deep") ? VerifyDepth.CONTENT : VerifyDepth.EXISTENCE;
    Optional<VerifyCursor> after = call.query("after").map(VerifyCursor::parse);
    Address address = LedgerRoutes.address(call);
    if (ProgressStream.isAccepted(call)) {
      open.ledgers().place(address).close(); // what is wrong with the name is told by the status
      return ProgressStream.reply(
          call,
          VerifyJson.progress(VerifyProgress.none(0)),
          CallerGone.CANCEL,
          lines -> verifyTelling(address, depth, after, lines));
    }
    try (NamedLedgers.Place place = open.ledgers().place(address)) {
      Verification verification = new Verification(place.objects(address));
      AutoCloseable departure = call.onDeparture(verification::stop);
      try {
        return Reply.ok(
            VerifyJson.report(depth, verification.run(depth, after, VerifyListener.none())));
      } finally {
        close(departure);
      }
    }
  }

  private static void close(AutoCloseable departure) {
    try {
      departure.close();
    } catch (Exception e) {
      throw new IllegalStateException("a watch on a connection couldn't be ended", e);
    }
  }

  private ObjectNode verifyTelling(
      Address address, VerifyDepth depth, Optional<VerifyCursor> after, Lines lines) {
    VerifyListener listener =
        new VerifyListener() {
          @Override
          public void progress(VerifyProgress progress) {
            lines.now(VerifyJson.progress(progress));
          }

          @Override
          public void found(Damage damage) {
            lines.add(VerifyJson.damage(damage));
          }
        };
    try (NamedLedgers.Place place = open.ledgers().place(address)) {
      Verification verification = new Verification(place.objects(address));
      return VerifyJson.report(depth, verification.run(depth, after, listener));
    }
  }

  private Reply repair(Call call) throws IOException {
    Members body = Members.of(call);
    Depth depth = depth(body.flag("deep"));
    return open.with(
        LedgerRoutes.address(call),
        ledger -> {
          IndexCare indices = ledger.indices();
          return Reply.ok(
              body.flag("apply")
                  ? CareJson.repaired(indices.repair(depth))
                  : CareJson.plannedRepair(indices.planRepair(depth)));
        });
  }

  private Reply compact(Call call) throws IOException {
    Members body = Members.of(call);
    Extent extent = body.flag("all") ? Extent.ALL : Extent.TIERS;
    Optional<String> type = body.text("type");
    return open.with(
        LedgerRoutes.address(call),
        ledger -> {
          Compaction compaction = ledger.compaction();
          Plan plan =
              type.isEmpty()
                  ? compaction.plan(extent)
                  : compaction.plan(
                      extent,
                      List.of(TypeRoutes.resolve(type.get(), ledger.schemas().current().keySet())));
          return Reply.ok(
              body.flag("apply")
                  ? CareJson.compacted(plan.merges(), compaction.run(plan, Progress.none()))
                  : CareJson.plannedCompaction(plan.merges()));
        });
  }

  private Reply collect(Call call) throws IOException {
    Members body = Members.of(call);
    Duration minAge =
        body.number("minAgeSeconds", 0, Integer.MAX_VALUE)
            .map(Duration::ofSeconds)
            .orElse(Leftovers.SAFE_AGE);
    // Others may push to this ledger, who rely on that age.
    if (minAge.compareTo(Leftovers.SAFE_AGE) < 0) {
      throw Call.invalid(
          "\"minAgeSeconds\" must be at least "
              + Leftovers.SAFE_AGE.toSeconds()
              + ": what is younger may be of a push or a writer that is at work");
    }
    return open.with(
        LedgerRoutes.address(call), ledger -> collect(ledger, minAge, body.flag("apply")));
  }

  private static Reply collect(Ledger ledger, Duration minAge, boolean apply) {
    Leftovers leftovers = ledger.leftovers();
    List<Leftover> found = leftovers.find(minAge);
    List<Old> snapshots = ledger.superseded().find(minAge);
    if (apply) {
      found.forEach(leftovers::delete);
      snapshots.forEach(ledger.superseded()::delete);
    }
    return Reply.ok(CareJson.leftovers(minAge, found, snapshots).put("applied", apply));
  }
}
