// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.bench.measure.Crew;
import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.resources.Holdings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Requests to a server on a directory, by so many connections at once. */
final class Requests {

  private static final Goal FAST = Goal.atLeast(0.7).orPerSecond(10_000);

  private final Path place;
  private final ServerScale scale;
  private final Report report;

  Requests(Path place, ServerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    AtomicLong counter = new AtomicLong();
    try (NameService names = NameService.open(place.resolve("requests").toString());
        TidemarkServer server =
            TidemarkServer.start(ServerSettings.standard().withPort(0), Holdings.of(names));
        NessieServer nessie = new NessieServer()) {
      for (int connections : scale.connections()) {
        try (Crew crew = new Crew(connections)) {
          Scene scene = new Scene(names, server.address(), nessie, crew, scale, report, counter);
          lookUps(scene);
          new Pushes(scene).run();
          new LedgerRequests(scene).run();
        }
      }
    }
  }

  /** One connection can't keep two processors busy, so it has no goal. */
  private static void lookUps(Scene scene) throws Exception {
    Address address = scene.fresh();
    byte[] request = Wire.get("/v1/names/" + address.name());
    byte[] answer;
    try (Wire wire = new Wire(scene.server())) {
      wire.require(request);
      answer = wire.text().getBytes(UTF_8);
    }
    String title = scene.title("look-up");
    Duel duel = new Duel(scene.scale().rounds(), scene.scale().lookUps());
    try (BareServer bare = BareServer.answering(answer);
        Wires ours = new Wires(scene.server(), scene.crew());
        Wires floor = new Wires(bare.address(), scene.crew())) {
      scene.report().section(title, "a bare server with the same bytes");
      scene
          .report()
          .rated(
              "requests a second",
              duel.fight(ours.each(i -> request), floor.each(i -> request)),
              scene.crew().threads() > 1 ? Optional.of(FAST) : Optional.empty());
      scene.tell(ours);
      byte[] theirs = NessieServer.lookUp("main");
      try (Wires wires = new Wires(scene.nessie().address(), scene.crew())) {
        scene.report().section(title, Scene.NESSIE);
        scene
            .report()
            .rated(
                "requests a second",
                duel.fight(ours.each(i -> request), wires.each(i -> theirs)),
                Optional.empty());
        scene.tell(ours, wires);
      }
      scene.report().section(title, Scene.CALL);
      scene
          .report()
          .rated(
              "requests a second",
              duel.fight(
                  ours.each(i -> request), scene.crew().each(i -> scene.names().find(address))),
              Optional.empty());
    }
  }
}
