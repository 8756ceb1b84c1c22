// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.BenchS3Clients;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.names.NameRegisters.Head;
import io.tidemark.names.NameOptions;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.servers.S3Server;
import java.util.Optional;

/** The nameservice on S3 beside the bare client, both on the same server in this process. */
final class S3Comparison {

  /** The record at which requests are counted. */
  private static final int COUNTED = 1;

  private final NamesBenchScale scale;
  private final Report report;

  S3Comparison(NamesBenchScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    try (S3Server server = S3Server.start()) {
      String bucket = server.createBucket().name();
      ObjectStore store = new ObjectStore(BenchS3Clients.ours(server, bucket), Retry.standard());
      NameRegisters names = new NameRegisters(DirectoryComparison.on(store));
      try (RegisterWriters<?> ours = RegisterWriters.of(names, scale.records())) {
        int length = DocumentLengths.ofOneDocument(store);
        Registers<?> objects =
            new BareS3Registers(BenchS3Clients.bare(server), server.createBucket().name(), length);
        try (RegisterWriters<?> peer = RegisterWriters.of(objects, scale.records())) {
          report.section("S3, on loopback", "bare client");
          new NamesComparison(scale, scale.remote(), report)
              .compare(ours, peer, setting -> Optional.of(Goal.atLeast(0.8)));
        }
        countRequests(names, new CountingBackend(BenchS3Clients.ours(server, bucket)));
      }
    }
  }

  /** What a writer asks who comes to a record that another has moved so far. */
  private void countRequests(NameRegisters other, CountingBackend counting) {
    ObjectStore store = new ObjectStore(counting, Retry.standard());
    NameOptions quiet =
        NameOptions.standard().withoutNotifications(); // the marker is written at other times
    try (NameRegisters newcomer = new NameRegisters(DirectoryComparison.on(store), quiet)) {
      Head first = other.read(COUNTED);
      Head second = moved(other, first);
      long never = counting.during(() -> moved(newcomer, second)).total();
      Head third = newcomer.read(COUNTED);
      long last = counting.during(() -> moved(newcomer, third)).total();
      Head fifth = moved(other, other.read(COUNTED));
      long since = counting.during(() -> moved(newcomer, fifth)).total();
      long lost = counting.during(() -> newcomer.move(COUNTED, first)).total();
      report.remark(
          ("requests a push: %d by who wrote last, %d to a record never read,"
                  + " %d if another has written since, %d for a conflict")
              .formatted(last, never, since, lost));
    }
  }

  private static Head moved(NameRegisters names, Head from) {
    Registers.Move<Head> move = names.move(COUNTED, from);
    Expect.equal(1, move.made() ? 1 : 0);
    return move.now();
  }
}
