// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What requests are measured with.
 *
 * @param names what the server serves
 * @param counter makes names that weren't there before
 */
record ServerBenchContext(
    NameService names,
    URI server,
    NessieServer nessie,
    WorkerThreads crew,
    ServerScale scale,
    Report report,
    AtomicLong counter) {

  static final String NESSIE = "Nessie's REST, in memory";
  static final String CALL = "the call in the process";

  /** So many at once. */
  String title(String what) {
    return what + ", " + crew.threads() + " connections";
  }

  /** A record that nobody has moved. */
  Address newRecord() {
    Address address = Address.parse("name" + counter.incrementAndGet());
    names.create(address);
    return address;
  }

  void reportTimes(HttpConnections ours) {
    ours.reportTimes(report, "");
  }

  void reportTimes(HttpConnections ours, HttpConnections theirs) {
    reportTimes(ours);
    theirs.reportTimes(report, "theirs: ");
  }
}
