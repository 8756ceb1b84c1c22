// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.bench.measure.Crew;
import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.Workload;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moves of heads, from where they are known to be or forward, spread or all of one record. */
final class Pushes {

  /** As of look-ups: that what takes time is the store's part, and HTTP's. */
  private static final Goal BOUND_BY_STORE = Goal.atLeast(0.7);

  private static final Pattern WATERMARK = Pattern.compile("\"watermark\":([0-9]+)");

  private final Scene scene;
  private final Report report;
  private final NameService names;
  private final Crew crew;
  private final Duel duel;

  /** A record for each connection, and where it is. */
  private final List<Address> spread = new ArrayList<>();

  private final long[] at;

  /** The same for whoever is beside us. */
  private final List<Address> others = new ArrayList<>();

  private final long[] othersAt;

  Pushes(Scene scene) {
    this.scene = scene;
    this.report = scene.report();
    this.names = scene.names();
    this.crew = scene.crew();
    this.duel = new Duel(scene.scale().rounds(), scene.scale().writes());
    this.at = new long[crew.threads()];
    this.othersAt = new long[crew.threads()];
    for (int i = 0; i < crew.threads(); i++) {
      spread.add(scene.fresh());
      others.add(scene.fresh());
    }
  }

  void run() throws Exception {
    try (Wires ours = new Wires(scene.server(), crew)) {
      besideBare(ours);
      besideCall(ours);
      allToOne(ours);
      besideNessie(ours);
    }
  }

  private void spread(Wires ours, Workload peer, Optional<Goal> goal) throws Exception {
    Workload mine = ours.each(i -> push(spread.get(i), at[i], ++at[i]));
    report.rated("spread over as many records", duel.fight(mine, peer), goal);
  }

  private void pushOther(int i) {
    ConcernValue from = othersAt[i] == 0 ? ConcernValue.UNBORN : head(othersAt[i]);
    ConcernValue next = head(++othersAt[i]);
    PushResult result = names.push(others.get(i), Concern.HEAD, Optional.of(from), next);
    if (!(result instanceof PushResult.Updated)) {
      throw new IllegalStateException(others.get(i) + " from " + from + ": " + result);
    }
  }

  private void besideBare(Wires ours) throws Exception {
    byte[] answer = ("{\"result\":\"updated\",\"now\":" + value(1) + "}").getBytes(UTF_8);
    try (BareServer bare = BareServer.calling(answer, this::pushOther);
        Wires floor = new Wires(bare.address(), crew)) {
      report.section(scene.title("push"), "a bare server that makes the same call");
      IntFunction<byte[]> request =
          i -> Wire.send("PUT", "/" + i, body(othersAt[i], othersAt[i] + 1));
      spread(ours, floor.each(request), Optional.of(BOUND_BY_STORE));
      scene.tell(ours, floor);
    }
  }

  private void besideCall(Wires ours) throws Exception {
    report.section(scene.title("push"), Scene.CALL);
    spread(ours, crew.each(this::pushOther), Optional.empty());
    scene.tell(ours);
  }

  private void allToOne(Wires ours) throws Exception {
    Address hot = scene.fresh();
    Address other = scene.fresh();
    AtomicLong next = new AtomicLong();
    AtomicLong otherNext = new AtomicLong();
    AtomicLong late = new AtomicLong();
    AtomicLong otherLate = new AtomicLong();
    report.rated(
        "forward, all to one record",
        duel.fight(
            ours.anyOf(i -> advance(hot, next.incrementAndGet()), late::incrementAndGet),
            crew.each(
                i -> {
                  ConcernValue to = head(otherNext.incrementAndGet());
                  if (names.advance(other, Concern.HEAD, to) instanceof PushResult.Conflict) {
                    otherLate.incrementAndGet();
                  }
                })),
        Optional.empty());
    report.remark(
        "of 100 so many came too late, and wrote nothing: %d of ours, %d of the calls"
            .formatted(100 * late.get() / next.get(), 100 * otherLate.get() / otherNext.get()));
    scene.tell(ours);
    Address contested = scene.fresh();
    Address otherContested = scene.fresh();
    report.rated(
        "from what was seen last, all to one record",
        duel.fight(
            ours.all((wire, times) -> contest(wire, contested, times)),
            times -> crew.run(i -> contest(names, otherContested, crew.share(times, i)))),
        Optional.empty());
  }

  private void besideNessie(Wires ours) throws Exception {
    NessieServer nessie = scene.nessie();
    try (Wires theirs = new Wires(nessie.address(), crew)) {
      String branch = "b" + crew.threads() + "-";
      for (int i = 0; i < crew.threads(); i++) {
        theirs.require(i, nessie.create(branch + i));
      }
      int[] moves = new int[crew.threads()];
      report.section(scene.title("push"), Scene.NESSIE);
      spread(
          ours, theirs.each(i -> nessie.move(branch + i, moves[i]++ % 2 == 0)), Optional.empty());
      scene.tell(ours, theirs);
    }
  }

  private static byte[] push(Address address, long from, long to) {
    return Wire.send("PUT", "/v1/names/" + address.name() + "/head", body(from, to));
  }

  private static String body(long from, long to) {
    String expected = from == 0 ? "{\"watermark\":0,\"payload\":null}" : value(from);
    return "{\"expected\":" + expected + ",\"next\":" + value(to) + "}";
  }

  /** Moves a record so many times, from where it is told that the record is. */
  private static void contest(Wire wire, Address address, int times) throws IOException {
    wire.require(Wire.get("/v1/names/" + address.name() + "/head"));
    long known = told(wire);
    for (int done = 0; done < times; ) {
      int status = wire.ask(push(address, known, known + 1));
      if (status == 200) {
        done++;
      } else if (status != 409) {
        throw new IOException(status + ": " + wire.text());
      }
      known = told(wire);
    }
  }

  /** The one that is there now, by whatever answer. */
  private static long told(Wire wire) throws IOException {
    Matcher matcher = WATERMARK.matcher(wire.text());
    if (!matcher.find()) {
      throw new IOException(wire.text());
    }
    return Long.parseLong(matcher.group(1));
  }

  private static void contest(NameService names, Address address, int times) {
    ConcernValue known = names.get(address, Concern.HEAD).orElseThrow();
    for (int done = 0; done < times; ) {
      ConcernValue next = head(known.watermark() + 1);
      PushResult result = names.push(address, Concern.HEAD, Optional.of(known), next);
      if (result instanceof PushResult.Conflict conflict) {
        known = conflict.actual().orElseThrow();
      } else {
        known = next;
        done++;
      }
    }
  }

  private static byte[] advance(Address address, long to) {
    return Wire.send(
        "POST", "/v1/names/" + address.name() + "/head/advance", "{\"next\":" + value(to) + "}");
  }

  private static String value(long t) {
    return "{\"watermark\":" + t + ",\"payload\":{\"id\":\"c" + t + "\",\"t\":" + t + "}}";
  }

  private static ConcernValue head(long t) {
    return ConcernValue.of(t, Payload.build(json -> json.put("id", "c" + t).put("t", t)));
  }
}
