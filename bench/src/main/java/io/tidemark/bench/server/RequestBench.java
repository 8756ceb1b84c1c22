// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.resources.ServerResources;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Requests to a server on a directory, by so many connections at once. */
final class RequestBench {

  private static final Goal FAST = Goal.atLeast(0.7).orPerSecond(10_000);

  private final Path place;
  private final ServerScale scale;
  private final Report report;

  RequestBench(Path place, ServerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    AtomicLong counter = new AtomicLong();
    try (NameService names = NameService.open(place.resolve("requests").toString());
        TidemarkServer server =
            TidemarkServer.start(ServerSettings.standard().withPort(0), ServerResources.of(names));
        NessieServer nessie = new NessieServer()) {
      for (int connections : scale.connections()) {
        try (WorkerThreads workerThreads = new WorkerThreads(connections)) {
          ServerBenchContext serverBenchContext =
              new ServerBenchContext(
                  names, server.address(), nessie, workerThreads, scale, report, counter);
          lookUps(serverBenchContext);
          new PushBench(serverBenchContext).run();
          new LedgerRequestBench(serverBenchContext).run();
        }
      }
    }
  }

  /** One connection can't keep two processors busy, so it has no goal. */
  private static void lookUps(ServerBenchContext serverBenchContext) throws Exception {
    Address address = serverBenchContext.newRecord();
    byte[] request = HttpConnection.get("/v1/names/" + address.name());
    byte[] answer;
    try (HttpConnection httpConnection = new HttpConnection(serverBenchContext.server())) {
      httpConnection.require(request);
      answer = httpConnection.text().getBytes(UTF_8);
    }
    String title = serverBenchContext.title("look-up");
    PairedBenchmark pairedBenchmark =
        new PairedBenchmark(
            serverBenchContext.scale().rounds(), serverBenchContext.scale().lookUps());
    try (BareServer bare = BareServer.answering(answer);
        HttpConnections ours =
            new HttpConnections(serverBenchContext.server(), serverBenchContext.crew());
        HttpConnections floor = new HttpConnections(bare.address(), serverBenchContext.crew())) {
      serverBenchContext.report().section(title, "a bare server with the same bytes");
      serverBenchContext
          .report()
          .compareRates(
              "requests a second",
              pairedBenchmark.run(ours.each(i -> request), floor.each(i -> request)),
              serverBenchContext.crew().threads() > 1 ? Optional.of(FAST) : Optional.empty());
      serverBenchContext.reportTimes(ours);
      byte[] theirs = NessieServer.lookUp("main");
      try (HttpConnections httpConnections =
          new HttpConnections(serverBenchContext.nessie().address(), serverBenchContext.crew())) {
        serverBenchContext.report().section(title, ServerBenchContext.NESSIE);
        serverBenchContext
            .report()
            .compareRates(
                "requests a second",
                pairedBenchmark.run(ours.each(i -> request), httpConnections.each(i -> theirs)),
                Optional.empty());
        serverBenchContext.reportTimes(ours, httpConnections);
      }
      serverBenchContext.report().section(title, ServerBenchContext.CALL);
      serverBenchContext
          .report()
          .compareRates(
              "requests a second",
              pairedBenchmark.run(
                  ours.each(i -> request),
                  serverBenchContext.crew().each(i -> serverBenchContext.names().find(address))),
              Optional.empty());
    }
  }
}
