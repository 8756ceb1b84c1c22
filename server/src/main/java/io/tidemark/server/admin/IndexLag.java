// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.metrics.Meters;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metric of how many commits the published index of a ledger is behind its head, for the few
 * ledgers with the largest lag. Measuring lists all records, so it happens on demand and at most
 * once a minute.
 */
final class IndexLag {

  private static final Logger LOG = LoggerFactory.getLogger(IndexLag.class);

  private static final int SHOWN = 20;
  private static final Duration EVERY = Duration.ofSeconds(60);

  /** Maximum number of records to list; listing more would cost more than the metric is worth. */
  private static final int LISTED = 100_000;

  private record Lag(String ledger, long commits) {}

  private final NameService names;
  private final MultiGauge worst;
  private final AtomicLong ledgers = new AtomicLong();
  private final AtomicLong behind = new AtomicLong();
  private long lastNanos = System.nanoTime() - EVERY.toNanos();

  IndexLag(NameService names, Meters meters) {
    this.names = names;
    this.worst =
        meters.gauges(
            "tidemark.index.lag",
            "Commits that the published index is behind the head, where it is most");
    meters.gauge("tidemark.ledgers", "Ledgers that aren't retracted", ledgers::get);
    meters.gauge(
        "tidemark.index.behind", "Ledgers whose published index is behind their head", behind::get);
  }

  synchronized void refresh() {
    long now = System.nanoTime();
    if (now - lastNanos < EVERY.toNanos()) {
      return;
    }
    lastNanos = now;
    try {
      measure();
    } catch (TidemarkException e) {
      LOG.warn("can't tell how far indices are behind: {}", e.getMessage());
    }
  }

  private void measure() {
    PriorityQueue<Lag> most = new PriorityQueue<>(Comparator.comparingLong(Lag::commits));
    long seen = 0;
    long late = 0;
    try (Stream<NameRecord> records = names.list(RecordFilter.all().atMost(LISTED))) {
      for (NameRecord record : (Iterable<NameRecord>) records::iterator) {
        if (record.meta().kind() != RecordKind.LEDGER || record.meta().retracted()) {
          continue;
        }
        seen++;
        long commits = record.indexLag().orElse(0);
        if (commits > 0) {
          late++;
          most.add(new Lag(record.address().toString(), commits));
          if (most.size() > SHOWN) {
            most.remove();
          }
        }
      }
    }
    ledgers.set(seen);
    behind.set(late);
    worst.register(
        most.stream()
            .<MultiGauge.Row<?>>map(
                lag -> MultiGauge.Row.of(Tags.of("ledger", lag.ledger()), lag.commits()))
            .toList(),
        true);
  }
}
