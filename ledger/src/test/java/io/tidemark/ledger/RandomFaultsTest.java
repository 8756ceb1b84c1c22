// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Writers whose requests and answers get lost, come late or are refused at random. Each counts in a
 * row of its own and signs a row of all, with one commit, made again until it is acknowledged. So
 * in the end each number is there once, in order, and each signature in the commit of its number.
 */
class RandomFaultsTest {

  private static final int WRITERS = 3;
  private static final long NUMBERS = Boolean.getBoolean("soak") ? 400 : 25;

  private final MemoryBackend bytes = new MemoryBackend();

  @Test
  void everyCommitIsThereOnceWhateverGetsLost_F1_F2_F3_F10() throws Exception {
    Seed seed = Seed.of("everyCommitIsThereOnceWhateverGetsLost");
    SplittableRandom seeds = new SplittableRandom(seed.value());
    ObjectStore calm = new ObjectStore(bytes, Retry.standard());
    new LedgerInitializer(calm, "").init();
    List<FaultyBackend> backends = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      backends.add(new FaultyBackend(bytes, seeds.split(), FaultMix.everything(0.05)));
    }
    Race.run(WRITERS, writer -> count(writer, backends.get(writer)));
    backends.forEach(FaultyBackend::deliverLateWrites);

    check(calm, seed);
  }

  private int count(int writer, FaultyBackend backend) {
    // Gives up soon, so that what is in doubt stays so.
    ObjectStore store = new ObjectStore(backend, FakeTime.retry(3));
    try (Ledger ledger = opened(store, writer);
        Session session = ledger.session(RecordType.of(Customer.class))) {
      for (long number = 1; number <= NUMBERS; number++) {
        session.ensure(Customer.of("w" + writer, number));
        session.ensure(Customer.of("all", writer * 1_000_000L + number));
        commitUntilDone(session);
      }
    }
    return writer;
  }

  private static Ledger opened(ObjectStore store, int writer) {
    while (true) {
      try {
        return Ledger.open(store, "", WritersContract.patient("writer" + writer));
      } catch (TidemarkException e) {
        assertThat(e.code()).isEqualTo("unavailable");
      }
    }
  }

  private static void commitUntilDone(Session session) {
    while (true) {
      try {
        session.commit();
        return;
      } catch (TidemarkException e) {
        assertThat(session.queued()).as("kept after %s", e).isEqualTo(2);
      }
    }
  }

  private static void check(ObjectStore store, Seed seed) {
    LedgerObjects objects = new LedgerObjects(store, "");
    ManifestChain manifestChain = new ManifestChain(objects);
    var pinnedHead = new HeadCache(objects, manifestChain).refresh();
    RecordType<Customer> type = RecordType.of(Customer.class);
    Map<String, List<Long>> numbers = new TreeMap<>();
    Map<Long, Long> signatures = new TreeMap<>();
    Map<Long, Long> signed = new TreeMap<>();
    new LatestRows(objects, manifestChain)
        .history(
            Models.CUSTOMER,
            pinnedHead,
            0,
            pinnedHead.head().commitId(),
            row -> {
              Customer customer = type.value(row.identity(), row.fieldsJson());
              if (customer.id().equals("all")) {
                signatures.put(row.commitId(), customer.age());
              } else {
                numbers.computeIfAbsent(customer.id(), id -> new ArrayList<>()).add(customer.age());
                long writer = Long.parseLong(customer.id().substring(1));
                signed.put(row.commitId(), writer * 1_000_000L + customer.age());
              }
            });
    List<Long> all = LongStream.rangeClosed(1, NUMBERS).boxed().toList();
    assertThat(numbers).as("%s", seed).hasSize(WRITERS);
    numbers.forEach((id, found) -> assertThat(found).as("%s of %s", seed, id).isEqualTo(all));
    // A commit in doubt that happened is made again if another has signed since: that signs only.
    assertThat(signatures).as("%s", seed).containsAllEntriesOf(signed);
    assertThat(LedgerDump.of(store).commits()).hasSize((int) pinnedHead.head().commitId());
  }
}
