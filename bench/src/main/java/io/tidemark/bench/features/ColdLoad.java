// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.FeatureWriter.PreparedBatch;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.testkit.servers.PostgresServer;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Loads by processes of the command, each into a new collection of the same database, in turn with
 * COPY of the same rows and the same keys. No collection is dropped, so that a load that gets
 * dearer with what was loaded before is seen.
 *
 * <p>Autovacuum works after each load until it has analysed the loaded tables, and not in between.
 * So its CPU time counts for the load that caused it, and takes none from the next.
 */
final class ColdLoad {

  private static final int CONNECTIONS = 2;

  /** Settings of a server whose autovacuum comes at once, and to tables of a few rows too. */
  private static final Map<String, String> VACUUMED =
      Map.of("autovacuum_naptime", "1s", "autovacuum_analyze_threshold", "0");

  private static final Optional<Goal> AT_MOST = Optional.of(Goal.atMost(1.5));
  private static final Goal GROWTH = Goal.atMost(1.15);

  private final Path command;
  private final Path place;
  private final int rows;
  private final Report report;

  /**
   * Plans the comparison.
   *
   * @param command takes the arguments of {@code tidemark}
   * @param place on the disk to be measured
   * @param rows how many features are in the file
   */
  ColdLoad(Path command, Path place, int rows, Report report) {
    this.command = command;
    this.place = place;
    this.rows = rows;
    this.report = report;
  }

  /**
   * What a load took, in microseconds.
   *
   * @param wall by the clock
   * @param client CPU time of the program that loads
   * @param server CPU time of the server until the load had ended
   * @param vacuumed the same with autovacuum afterwards
   */
  private record LoadTimes(double wall, double client, double server, double vacuumed) {}

  private record Round(LoadTimes ours, LoadTimes bare) {}

  /** Measures so many loads of each side, after one that isn't counted. */
  void run(int rounds) throws Exception {
    Map<String, String> settings = new TreeMap<>(FeatureBulkLoad.DURABLE);
    settings.putAll(VACUUMED);
    Path file = PointFile.create(place, rows);
    try (PostgresServer server = PostgresServer.start(place, settings)) {
      String url = server.createDatabase();
      try (ServerCpu cpu = new ServerCpu(url)) {
        load(url, file, "cold0");
        try (BareCopy peer = new BareCopy(url, "cold0", CONNECTIONS)) {
          List<Round> measured = new ArrayList<>();
          for (int n = 0; n <= rounds; n++) {
            String collection = "cold" + (n + 1);
            Round round =
                new Round(
                    took(
                        cpu,
                        ServerCpu::microsOfEndedPrograms,
                        () -> load(url, file, collection),
                        "^%s_[0-9a-f]$".formatted(collection)),
                    took(
                        cpu,
                        ColdLoad::ownMicros,
                        () -> {
                          peer.run();
                          peer.leaveToAutovacuum();
                        },
                        "^bare_[0-9a-f]$"));
            if (n > 0) {
              measured.add(round);
            }
          }
          tell(measured);
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  private static LoadTimes took(
      ServerCpu cpu, DoubleSupplier client, PreparedBatch preparedBatch, String tables)
      throws Exception {
    double clientBefore = client.getAsDouble();
    double serverBefore = cpu.micros();
    long start = System.nanoTime();
    preparedBatch.run();
    double wall = (System.nanoTime() - start) / 1e3;
    double clientTook = client.getAsDouble() - clientBefore;
    cpu.awaitOnly(CONNECTIONS);
    double server = cpu.micros() - serverBefore;
    cpu.vacuum(tables);
    return new LoadTimes(wall, clientTook, server, cpu.micros() - serverBefore);
  }

  /** CPU time of this program, in which COPY is sent. */
  private static double ownMicros() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime()
        / 1e3;
  }

  private void load(String url, Path file, String collection) throws Exception {
    ProcessBuilder process =
        new ProcessBuilder(
            command.toString(),
            "features",
            "load",
            collection,
            file.toString(),
            "--create",
            "--parallel",
            Integer.toString(CONNECTIONS));
    process.environment().remove("TIDEMARK_JAVA_OPTS");
    process.environment().put("TIDEMARK_JDBC", url);
    process.redirectOutput(Redirect.DISCARD).redirectError(Redirect.INHERIT);
    Expect.equal(0, process.start().waitFor());
  }

  private void tell(List<Round> rounds) {
    report.section(
        "%,d features by a fresh process, %d connections".formatted(rows, CONNECTIONS),
        "COPY and keys");
    compare("server CPU", rounds, LoadTimes::server, AT_MOST);
    compare("server CPU, with autovacuum afterwards", rounds, LoadTimes::vacuumed, AT_MOST);
    compare("client CPU", rounds, LoadTimes::client, Optional.empty());
    compare("by the clock", rounds, LoadTimes::wall, Optional.empty());
    int half = rounds.size() / 2;
    report.section("From run to run, medians", "first " + half, "last " + half);
    grown("server CPU", rounds, LoadTimes::server);
    grown("server CPU, with autovacuum afterwards", rounds, LoadTimes::vacuumed);
  }

  private void compare(
      String what, List<Round> rounds, ToDoubleFunction<LoadTimes> figure, Optional<Goal> goal) {
    PairedBenchmark.Outcome outcome =
        new PairedBenchmark.Outcome(
            rounds.stream()
                .map(
                    r ->
                        new PairedBenchmark.Round(
                            figure.applyAsDouble(r.ours()), figure.applyAsDouble(r.bare())))
                .toList());
    report.compareTimes(what, outcome, goal);
    report.remark(
        "seconds of the rounds: "
            + outcome.rounds().stream()
                .map(
                    r ->
                        String.format(
                            Locale.ROOT, "%.2f/%.2f", r.oursMicros() / 1e6, r.peerMicros() / 1e6))
                .toList());
  }

  private void grown(String what, List<Round> rounds, ToDoubleFunction<LoadTimes> figure) {
    List<Double> ours = rounds.stream().map(r -> figure.applyAsDouble(r.ours())).toList();
    int half = ours.size() / 2;
    report.reportGrowth(
        what,
        PairedBenchmark.median(ours.subList(0, half)),
        PairedBenchmark.median(ours.subList(ours.size() - half, ours.size())),
        GROWTH);
  }
}
