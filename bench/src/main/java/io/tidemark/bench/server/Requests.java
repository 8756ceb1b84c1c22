// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static io.tidemark.ledger.query.model.Fields.field;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.bench.Crew;
import io.tidemark.bench.Duel;
import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.bench.Workload;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.named.NamedInit;
import io.tidemark.ledger.named.NamedLedgers;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.server.Holdings;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests to a server on a directory, by so many connections at once. */
final class Requests {

  private static final Goal FAST = Goal.atLeast(0.7).orPerSecond(10_000);

  /** That what is done for a push besides the store's part and HTTP's is the smaller part. */
  private static final Goal BOUND_BY_STORE = Goal.atLeast(0.6);

  private static final Pattern WATERMARK = Pattern.compile("\"watermark\":([0-9]+)");
  private static final int MOST_LEDGERS = 8;
  private static final String NESSIE = "Nessie's REST, in memory";

  /** A row. */
  @Entity
  public record Customer(@Key String id, long age) {}

  private final Path place;
  private final ServerScale scale;
  private final Report report;
  private final AtomicLong counter = new AtomicLong();

  Requests(Path place, ServerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    try (NameService names = NameService.open(place.resolve("requests").toString());
        TidemarkServer server =
            TidemarkServer.start(ServerSettings.standard().withPort(0), Holdings.of(names));
        NessieServer nessie = new NessieServer()) {
      for (int connections : scale.connections()) {
        try (Crew crew = new Crew(connections)) {
          lookUps(names, server.address(), crew, nessie);
          pushes(names, server.address(), crew, nessie);
          commitsAndQueries(names, server.address(), crew);
        }
      }
    }
  }

  /** One connection can't keep two processors busy, so it has no goal. */
  private void lookUps(NameService names, URI server, Crew crew, NessieServer nessie)
      throws Exception {
    Address address = fresh(names);
    byte[] request = Wire.get("/v1/names/" + address.name());
    byte[] answer;
    try (Wire wire = new Wire(server)) {
      wire.require(request);
      answer = wire.text().getBytes(UTF_8);
    }
    String title = "look-up, " + crew.threads() + " connections";
    Duel duel = new Duel(scale.rounds(), scale.lookUps());
    try (BareServer bare = BareServer.answering(answer);
        Wires ours = new Wires(server, crew);
        Wires floor = new Wires(bare.address(), crew)) {
      report.section(title, "a bare server with the same bytes");
      report.rated(
          "requests a second",
          duel.fight(ours.each(i -> request), floor.each(i -> request)),
          crew.threads() > 1 ? Optional.of(FAST) : Optional.empty());
      tail(ours);
      byte[] theirs = NessieServer.lookUp("main");
      try (Wires wires = new Wires(nessie.address(), crew)) {
        report.section(title, NESSIE);
        report.rated(
            "requests a second",
            duel.fight(ours.each(i -> request), wires.each(i -> theirs)),
            Optional.empty());
        tail(ours, wires);
      }
      report.section(title, "the call in the process");
      report.rated(
          "requests a second",
          duel.fight(ours.each(i -> request), inProcess(crew, i -> names.find(address))),
          Optional.empty());
    }
  }

  /** From where a record is known to be, each connection its own record, or all the same. */
  private void pushes(NameService names, URI server, Crew crew, NessieServer nessie)
      throws Exception {
    Duel duel = new Duel(scale.rounds(), scale.writes());
    String title = "push, " + crew.threads() + " connections";
    List<Address> theirs = new ArrayList<>();
    List<Address> own = new ArrayList<>();
    for (int i = 0; i < crew.threads(); i++) {
      theirs.add(fresh(names));
      own.add(fresh(names));
    }
    long[] t = new long[crew.threads()];
    long[] mine = new long[crew.threads()];
    byte[] answer = ("{\"result\":\"updated\",\"now\":" + value(1) + "}").getBytes(UTF_8);
    IntConsumer call = i -> push(names, own.get(i), mine[i], ++mine[i]);
    try (Wires ours = new Wires(server, crew)) {
      try (BareServer bare = BareServer.calling(answer, call);
          Wires floor = new Wires(bare.address(), crew)) {
        report.section(title, "a bare server that makes the same call");
        report.rated(
            "spread over as many records",
            duel.fight(
                ours.each(i -> push(theirs.get(i), t[i], ++t[i])),
                floor.each(i -> Wire.send("PUT", "/" + i, pushBody(mine[i], mine[i] + 1)))),
            Optional.of(BOUND_BY_STORE));
        tail(ours, floor);
      }
      report.section(title, "the call in the process");
      report.rated(
          "spread over as many records",
          duel.fight(
              ours.each(i -> push(theirs.get(i), t[i], ++t[i])),
              inProcess(
                  crew,
                  i -> {
                    call.accept(i);
                    return i;
                  })),
          Optional.empty());
      tail(ours);
      Address hot = fresh(names);
      Address other = fresh(names);
      AtomicLong next = new AtomicLong();
      AtomicLong otherNext = new AtomicLong();
      report.rated(
          "forward, all to one record",
          duel.fight(
              ours.anyOf(i -> advance(hot, next.incrementAndGet())),
              inProcess(
                  crew,
                  i -> names.advance(other, Concern.HEAD, head(otherNext.incrementAndGet())))),
          Optional.empty());
      tail(ours);
      Address contested = fresh(names);
      Address otherContested = fresh(names);
      report.rated(
          "from what was seen last, all to one record",
          duel.fight(
              ours.all((wire, operations) -> contest(wire, contested, operations)),
              operations ->
                  crew.run(i -> contest(names, otherContested, share(crew, operations, i)))),
          Optional.empty());
      try (Wires wires = new Wires(nessie.address(), crew)) {
        String branch = "b" + crew.threads() + "-";
        for (int i = 0; i < crew.threads(); i++) {
          wires.require(i, nessie.create(branch + i));
        }
        int[] moves = new int[crew.threads()];
        report.section(title, NESSIE);
        report.rated(
            "spread over as many records",
            duel.fight(
                ours.each(i -> push(theirs.get(i), t[i], ++t[i])),
                wires.each(i -> nessie.move(branch + i, moves[i]++ % 2 == 0))),
            Optional.empty());
        tail(ours, wires);
      }
    }
  }

  /** Commits to as many ledgers as there are connections, but few; queries all of the first. */
  private void commitsAndQueries(NameService names, URI server, Crew crew) throws Exception {
    Duel duel = new Duel(scale.rounds(), Math.max(2 * crew.threads(), scale.writes() / 16));
    List<String> theirs = new ArrayList<>();
    List<NamedLedgers.Opened> own = new ArrayList<>();
    try (Wires ours = new Wires(server, crew)) {
      for (int i = 0; i < Math.min(crew.threads(), MOST_LEDGERS); i++) {
        theirs.add("/v1/ledgers/" + ledger(names).name());
        own.add(new NamedLedgers(names).open(ledger(names), LedgerOptions.standard()));
      }
      report.section("ledgers, " + crew.threads() + " connections", "the call in the process");
      report.rated(
          "commits of one row, to " + own.size(),
          duel.fight(
              ours.each(i -> Wire.send("POST", theirs.get(i % own.size()) + "/commits", commit())),
              inProcess(crew, i -> commit(own.get(i % own.size()).ledger()))),
          Optional.empty());
      tail(ours);
      byte[] query =
          Wire.send(
              "POST", theirs.get(0) + "/query", "{\"type\":\"Customer\",\"where\":[\"age > 5\"]}");
      report.rated(
          "queries of one row",
          duel.fight(ours.each(i -> query), inProcess(crew, i -> query(own.get(0).ledger()))),
          Optional.empty());
      tail(ours);
    } finally {
      own.forEach(NamedLedgers.Opened::close);
    }
  }

  private static Object query(Ledger ledger) {
    return ledger.query().entities(Customer.class).where(field("age").gt(5)).list();
  }

  private void tail(Wires ours, Wires theirs) {
    tail(ours);
    report.took("  theirs: half of them within", theirs.percentile(0.50));
    report.took("  theirs: 99 of 100 within", theirs.percentile(0.99));
  }

  private void tail(Wires wires) {
    report.took("  half of them within", wires.percentile(0.50));
    report.took("  99 of 100 within", wires.percentile(0.99));
    wires.forget();
  }

  private String commit() {
    return "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":%d}]}"
        .formatted(counter.incrementAndGet());
  }

  private Object commit(Ledger ledger) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      return session.ensure(new Customer("c1", counter.incrementAndGet())).commit(Map.of());
    }
  }

  private Address ledger(NameService names) {
    Address address = Address.parse("ledger" + counter.incrementAndGet());
    try (NamedInit init = new NamedInit(names, address, Optional.empty())) {
      init.init();
    }
    try (NamedLedgers.Opened opened =
        new NamedLedgers(names).open(address, LedgerOptions.standard())) {
      Object unused = commit(opened.ledger());
    }
    return address;
  }

  private Address fresh(NameService names) {
    Address address = Address.parse("name" + counter.incrementAndGet());
    names.create(address);
    return address;
  }

  private static byte[] push(Address address, long from, long to) {
    return Wire.send("PUT", "/v1/names/" + address.name() + "/head", pushBody(from, to));
  }

  private static String pushBody(long from, long to) {
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

  private static void push(NameService names, Address address, long from, long to) {
    ConcernValue expected = from == 0 ? ConcernValue.UNBORN : head(from);
    PushResult result = names.push(address, Concern.HEAD, Optional.of(expected), head(to));
    if (!(result instanceof PushResult.Updated)) {
      throw new IllegalStateException(address + " from " + from + ": " + result);
    }
  }

  private static ConcernValue head(long t) {
    return ConcernValue.of(t, Payload.build(json -> json.put("id", "c" + t).put("t", t)));
  }

  private static Workload inProcess(Crew crew, IntFunction<Object> call) {
    return operations ->
        crew.run(
            thread -> {
              for (int i = share(crew, operations, thread); i > 0; i--) {
                Object unused = call.apply(thread);
              }
            });
  }

  /** How many of all operations are a thread's. */
  private static int share(Crew crew, int operations, int thread) {
    return (operations + crew.threads() - 1 - thread) / crew.threads();
  }

  /** What one connection does, so many times. */
  private interface Share {
    void run(Wire wire, int times) throws IOException;
  }

  /** As many connections as there are threads, and how long each answer took. */
  private static final class Wires implements AutoCloseable {

    private final Crew crew;
    private final List<Wire> wires = new ArrayList<>();
    private final List<Double> micros = Collections.synchronizedList(new ArrayList<>());

    Wires(URI server, Crew crew) throws Exception {
      this.crew = crew;
      for (int i = 0; i < crew.threads(); i++) {
        wires.add(new Wire(server));
      }
    }

    void require(int wire, byte[] request) throws IOException {
      wires.get(wire).require(request);
    }

    /** Each of which has to be done. */
    Workload each(IntFunction<byte[]> request) {
      return operations -> run(operations, request, false);
    }

    /** Of which some may come too late, and are told so. */
    Workload anyOf(IntFunction<byte[]> request) {
      return operations -> run(operations, request, true);
    }

    /** Where each connection does its share as it likes. */
    Workload all(Share share) {
      return operations ->
          crew.run(thread -> share.run(wires.get(thread), share(crew, operations, thread)));
    }

    private void run(int operations, IntFunction<byte[]> request, boolean mayConflict)
        throws Exception {
      crew.run(
          thread -> {
            Wire wire = wires.get(thread);
            List<Double> own = new ArrayList<>();
            for (int i = share(crew, operations, thread); i > 0; i--) {
              byte[] bytes = request.apply(thread);
              long start = System.nanoTime();
              int status = wire.ask(bytes);
              if (status / 100 != 2 && !(mayConflict && status == 409)) {
                throw new IOException(status + ": " + wire.text());
              }
              own.add((System.nanoTime() - start) / 1e3);
            }
            micros.addAll(own);
          });
    }

    double percentile(double part) {
      List<Double> sorted = micros.stream().sorted().toList();
      return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
    }

    void forget() {
      micros.clear();
    }

    @Override
    public void close() throws Exception {
      for (Wire wire : wires) {
        wire.close();
      }
    }
  }
}
