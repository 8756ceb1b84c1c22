// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.Crew;
import io.tidemark.bench.Duel;
import io.tidemark.bench.Expect;
import io.tidemark.bench.Report;
import io.tidemark.events.ClaimRequest;
import io.tidemark.events.Interest;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.CountingBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What looking for work costs when there is none, after more and more events have been handled. */
final class IdleCost {

  private static final int LOOKS = 21;

  private final Path place;
  private final EventsScale scale;
  private final Report report;

  IdleCost(Path place, EventsScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    report.section("idle, in a directory", "time", "");
    CountingBackend counting =
        new CountingBackend(DirectoryBackend.open(place.resolve("idle"), Durability.PAGE_CACHE));
    try (BusFlow ours = new BusFlow(new ObjectStore(counting, Retry.standard()));
        Crew crew = new Crew(2)) {
      int past = 0;
      for (int until : List.of(0, scale.past() / 100, scale.past() / 10, scale.past())) {
        if (until > past) {
          ours.run(until - past, crew);
        }
        past = until;
        look(ours, counting, past);
      }
    }
  }

  private void look(BusFlow ours, CountingBackend counting, int past) {
    ClaimRequest wish = new ClaimRequest(BusFlow.HANDLER, Interest.all(), Flow.AT_A_TIME, "idle");
    List<Double> micros = new ArrayList<>();
    counting.reset();
    for (int i = 0; i < LOOKS; i++) {
      long start = System.nanoTime();
      Expect.equal(0, ours.namespace().claim(wish).size());
      micros.add((System.nanoTime() - start) / 1e3);
    }
    double requests = (double) counting.reset().total() / LOOKS;
    report.took("after %,d events, a look for work".formatted(past), Duel.median(micros));
    report.remark("%.2f requests a look".formatted(requests));
    Expect.equal(1, requests <= 2 ? 1 : 0);
  }
}
