// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark.Outcome;
import io.tidemark.bench.measure.PairedBenchmark.Round;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.features.model.Guid;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.TagFilter;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.testkit.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How long reads take among many features with a year of history. Every statement is planned anew,
 * as it is for someone who asks for the first time; so what a read takes is more than its planning.
 * The maintainer has been there before, as it is every day.
 */
final class ReadTimes {

  private static final String COLLECTION = "years";
  private static final String ALL_STATES = "all states of a feature";
  private static final double PLANNING_MICROS = 5_000;

  private final Path place;
  private final FeaturesScale scale;
  private final Report report;

  ReadTimes(Path place, FeaturesScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  /** A question about the n-th of the features that have a history; how many states answer it. */
  private interface Question {
    long ask(ReadTransaction readTransaction, int n);
  }

  void run() throws Exception {
    Map<String, String> settings = new HashMap<>(PlanningTime.SETTINGS);
    settings.put("shared_buffers", "1GB");
    settings.put("max_wal_size", "8GB");
    settings.put("jit", "off");
    settings.put("max_locks_per_transaction", "1024");
    try (PostgresServer server = PostgresServer.start(place, settings)) {
      String url = server.createDatabase();
      YearOfHistory year = YearOfHistory.make(url, COLLECTION, scale);
      try (TidemarkFeatureWriter tidemarkFeatureWriter =
          new TidemarkFeatureWriter(url + "&prepareThreshold=0", CollectionShape.TABLE)) {
        tidemarkFeatureWriter.features().maintain();
        report.section(
            "%,d features, %d days of history".formatted(scale.features(), scale.days()), "5 ms");
        questions(year)
            .forEach((what, question) -> ask(tidemarkFeatureWriter, year, what, question));
        plan(tidemarkFeatureWriter, year, url);
      }
    }
  }

  private static Map<String, Question> questions(YearOfHistory year) {
    Map<String, Question> questions = new LinkedHashMap<>();
    questions.put("by id", (r, n) -> r.byIds(COLLECTION, List.of(year.id(n))).size());
    questions.put("a hundred ids", (r, n) -> r.byIds(COLLECTION, year.ids(n)).size());
    questions.put(
        "by GUID, current",
        (r, n) -> r.byGuid(Guid.parse(year.current(COLLECTION, n))).stream().count());
    questions.put(
        "by GUID, replaced",
        (r, n) -> r.byGuid(Guid.parse(year.replaced(COLLECTION, n))).stream().count());
    questions.put(
        "at a version, half a year ago",
        (r, n) -> r.byIdsAt(COLLECTION, List.of(year.id(n)), year.middle()).size());
    questions.put(ALL_STATES, (r, n) -> r.versions(COLLECTION, year.id(n)).size());
    questions.put("a box with some 25", (r, n) -> found(r, q -> q.in(year.box(n))));
    questions.put("a tile of level 14", (r, n) -> found(r, q -> q.in(Area.tile(year.tile(n)))));
    questions.put(
        "2 km around a point",
        (r, n) -> found(r, q -> q.in(Area.withinMetres(year.lon(n), year.lat(n), 2_000))));
    questions.put(
        "100 of 1,000 with a tag",
        (r, n) -> found(r, q -> q.tagged(TagFilter.any("t" + n % 1000)).limit(100)));
    return questions;
  }

  private static long found(
      ReadTransaction readTransaction, UnaryOperator<FeatureQuery.Builder> wanted) {
    return readTransaction
        .query(wanted.apply(FeatureQuery.from(COLLECTION)).build())
        .features()
        .size();
  }

  private void ask(
      TidemarkFeatureWriter tidemarkFeatureWriter,
      YearOfHistory year,
      String what,
      Question question) {
    List<Double> micros = new ArrayList<>();
    for (int n = -10; n < scale.questions(); n++) {
      int feature = year.feature(n);
      long start = System.nanoTime();
      long found =
          tidemarkFeatureWriter
              .features()
              .read(readTransaction -> question.ask(readTransaction, feature));
      double took = (System.nanoTime() - start) / 1e3;
      Expect.equal(1, found > 0 ? 1 : 0);
      if (n >= 0) {
        micros.add(took);
      }
    }
    List<Round> rounds = micros.stream().map(m -> new Round(m, PLANNING_MICROS)).toList();
    report.compareTimes(
        what + ", median of " + micros.size(), new Outcome(rounds), Optional.empty());
    List<Double> sorted = micros.stream().sorted().toList();
    report.reportTime(what + ", slowest but 1 %", sorted.get(sorted.size() * 99 / 100));
  }

  /** What of the time for all states of a feature the server has planned, by its own account. */
  private void plan(TidemarkFeatureWriter tidemarkFeatureWriter, YearOfHistory year, String url)
      throws SQLException {
    List<Round> rounds = new ArrayList<>();
    try (PlanningTime planning = new PlanningTime(url)) {
      for (int n = 0; n < scale.questions(); n++) {
        int feature = year.feature(n);
        planning.reset();
        Expect.equal(
            1,
            tidemarkFeatureWriter
                .features()
                .read(r -> r.versions(COLLECTION, year.id(feature)).isEmpty() ? 0 : 1));
        rounds.add(new Round(planning.micros(), PLANNING_MICROS));
      }
    }
    report.compareTimes(ALL_STATES + ", planned", new Outcome(rounds), Optional.of(Goal.atMost(1)));
  }
}
