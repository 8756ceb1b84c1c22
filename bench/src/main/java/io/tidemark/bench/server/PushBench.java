// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.WorkerThreads;
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
final class PushBench {

  /** As of look-ups: that what takes time is the store's part, and HTTP's. */
  private static final Goal BOUND_BY_STORE = Goal.atLeast(0.7);

  private static final Pattern WATERMARK = Pattern.compile("\"watermark\":([0-9]+)");

  private final ServerBenchContext serverBenchContext;
  private final Report report;
  private final NameService names;
  private final WorkerThreads workerThreads;
  private final PairedBenchmark pairedBenchmark;

  /** A record for each connection, and where it is. */
  private final List<Address> spread = new ArrayList<>();

  private final long[] at;

  /** The same for whoever is beside us. */
  private final List<Address> others = new ArrayList<>();

  private final long[] othersAt;

  PushBench(ServerBenchContext serverBenchContext) {
    this.serverBenchContext = serverBenchContext;
    this.report = serverBenchContext.report();
    this.names = serverBenchContext.names();
    this.workerThreads = serverBenchContext.crew();
    this.pairedBenchmark =
        new PairedBenchmark(
            serverBenchContext.scale().rounds(), serverBenchContext.scale().writes());
    this.at = new long[workerThreads.threads()];
    this.othersAt = new long[workerThreads.threads()];
    for (int i = 0; i < workerThreads.threads(); i++) {
      spread.add(serverBenchContext.newRecord());
      others.add(serverBenchContext.newRecord());
    }
  }

  void run() throws Exception {
    try (HttpConnections ours = new HttpConnections(serverBenchContext.server(), workerThreads)) {
      compareWithBareServer(ours);
      compareWithBareCall(ours);
      pushToOneRecord(ours);
      compareWithNessie(ours);
    }
  }

  private void spread(HttpConnections ours, Workload peer, Optional<Goal> goal) throws Exception {
    Workload mine = ours.each(i -> push(spread.get(i), at[i], ++at[i]));
    report.compareRates("spread over as many records", pairedBenchmark.run(mine, peer), goal);
  }

  private void pushOther(int i) {
    ConcernValue from = othersAt[i] == 0 ? ConcernValue.UNBORN : head(othersAt[i]);
    ConcernValue next = head(++othersAt[i]);
    PushResult result = names.push(others.get(i), Concern.HEAD, Optional.of(from), next);
    if (!(result instanceof PushResult.Updated)) {
      throw new IllegalStateException(others.get(i) + " from " + from + ": " + result);
    }
  }

  private void compareWithBareServer(HttpConnections ours) throws Exception {
    byte[] answer = ("{\"result\":\"updated\",\"now\":" + value(1) + "}").getBytes(UTF_8);
    try (BareServer bare = BareServer.calling(answer, this::pushOther);
        HttpConnections floor = new HttpConnections(bare.address(), workerThreads)) {
      report.section(serverBenchContext.title("push"), "a bare server that makes the same call");
      IntFunction<byte[]> request =
          i -> HttpConnection.send("PUT", "/" + i, body(othersAt[i], othersAt[i] + 1));
      spread(ours, floor.each(request), Optional.of(BOUND_BY_STORE));
      serverBenchContext.reportTimes(ours, floor);
    }
  }

  private void compareWithBareCall(HttpConnections ours) throws Exception {
    report.section(serverBenchContext.title("push"), ServerBenchContext.CALL);
    spread(ours, workerThreads.each(this::pushOther), Optional.empty());
    serverBenchContext.reportTimes(ours);
  }

  private void pushToOneRecord(HttpConnections ours) throws Exception {
    Address hot = serverBenchContext.newRecord();
    Address other = serverBenchContext.newRecord();
    AtomicLong next = new AtomicLong();
    AtomicLong otherNext = new AtomicLong();
    AtomicLong late = new AtomicLong();
    AtomicLong otherLate = new AtomicLong();
    report.compareRates(
        "forward, all to one record",
        pairedBenchmark.run(
            ours.anyOf(i -> advance(hot, next.incrementAndGet()), late::incrementAndGet),
            workerThreads.each(
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
    serverBenchContext.reportTimes(ours);
    Address contested = serverBenchContext.newRecord();
    Address otherContested = serverBenchContext.newRecord();
    report.compareRates(
        "from what was seen last, all to one record",
        pairedBenchmark.run(
            ours.all((httpConnection, times) -> pushContended(httpConnection, contested, times)),
            times ->
                workerThreads.run(
                    i -> pushContended(names, otherContested, workerThreads.share(times, i)))),
        Optional.empty());
  }

  private void compareWithNessie(HttpConnections ours) throws Exception {
    NessieServer nessie = serverBenchContext.nessie();
    try (HttpConnections theirs = new HttpConnections(nessie.address(), workerThreads)) {
      String branch = "b" + workerThreads.threads() + "-";
      for (int i = 0; i < workerThreads.threads(); i++) {
        theirs.require(i, nessie.create(branch + i));
      }
      int[] moves = new int[workerThreads.threads()];
      report.section(serverBenchContext.title("push"), ServerBenchContext.NESSIE);
      spread(
          ours, theirs.each(i -> nessie.move(branch + i, moves[i]++ % 2 == 0)), Optional.empty());
      serverBenchContext.reportTimes(ours, theirs);
    }
  }

  private static byte[] push(Address address, long from, long to) {
    return HttpConnection.send("PUT", "/v1/names/" + address.name() + "/head", body(from, to));
  }

  private static String body(long from, long to) {
    String expected = from == 0 ? "{\"watermark\":0,\"payload\":null}" : value(from);
    return "{\"expected\":" + expected + ",\"next\":" + value(to) + "}";
  }

  /** Moves a record so many times, from where it is told that the record is. */
  private static void pushContended(HttpConnection httpConnection, Address address, int times)
      throws IOException {
    httpConnection.require(HttpConnection.get("/v1/names/" + address.name() + "/head"));
    long known = told(httpConnection);
    for (int done = 0; done < times; ) {
      int status = httpConnection.ask(push(address, known, known + 1));
      if (status == 200) {
        done++;
      } else if (status != 409) {
        throw new IOException(status + ": " + httpConnection.text());
      }
      known = told(httpConnection);
    }
  }

  /** The one that is there now, by whatever answer. */
  private static long told(HttpConnection httpConnection) throws IOException {
    Matcher matcher = WATERMARK.matcher(httpConnection.text());
    if (!matcher.find()) {
      throw new IOException(httpConnection.text());
    }
    return Long.parseLong(matcher.group(1));
  }

  private static void pushContended(NameService names, Address address, int times) {
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
    return HttpConnection.send(
        "POST", "/v1/names/" + address.name() + "/head/advance", "{\"next\":" + value(to) + "}");
  }

  private static String value(long t) {
    return "{\"watermark\":" + t + ",\"payload\":{\"id\":\"c" + t + "\",\"t\":" + t + "}}";
  }

  private static ConcernValue head(long t) {
    return ConcernValue.of(t, Payload.build(json -> json.put("id", "c" + t).put("t", t)));
  }
}
