// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.testkit.objects.Race;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What readers and listings see while others write, on two instances at one place. */
interface ReaderRaceContract {

  NamesFixture fixture();

  private int races() {
    return fixture().scale().races();
  }

  @Test
  default void readersNeverSeeHalfAChange_names59() throws Exception {
    fixture().ledger(MYDB, "c1", 1);
    List<NameService> services = fixture().twoInstances();
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        3,
        thread -> {
          NameService names = services.get(thread % 2);
          if (thread == 0) {
            try {
              for (int t = 2; t <= races(); t++) {
                names.ledgers().publishCommit(MYDB, Ref.of("c" + t, t));
                names.ledgers().publishIndex(MYDB, Ref.of("i" + t, t));
              }
            } finally {
              done.set(true);
            }
            return 0;
          }
          long lastHead = 0;
          long lastIndex = 0;
          while (!done.get()) {
            NameRecord record = names.find(MYDB).orElseThrow();
            Ref commit = record.commit();
            Ref indexed = record.indexed();
            assertThat(commit).isEqualTo(Ref.of("c" + commit.t(), commit.t()));
            assertThat(record.head()).isEqualTo(head("c" + commit.t(), commit.t()));
            if (indexed.t() > 0) {
              assertThat(indexed).isEqualTo(Ref.of("i" + indexed.t(), indexed.t()));
            }
            assertThat(commit.t()).isGreaterThanOrEqualTo(lastHead);
            assertThat(indexed.t()).isGreaterThanOrEqualTo(lastIndex);
            lastHead = commit.t();
            lastIndex = indexed.t();
          }
          return 0;
        });
  }

  @Test
  default void readersNeverGoBackPastAReset_names5_5() throws Exception {
    fixture().ledger(MYDB, "c0", 1);
    List<NameService> services = fixture().twoInstances();
    AtomicBoolean done = new AtomicBoolean();
    int steps = Math.min(races(), 500);
    Race.run(
        3,
        thread -> {
          NameService names = services.get(thread % 2);
          if (thread == 0) {
            try {
              for (int step = 1; step <= steps; step++) {
                Ref indexed = Ref.of("i" + step, 1 + step % 3);
                names.ledgers().reset(MYDB, new Heads(Ref.of("c" + step, 1), indexed));
                names.retract(MYDB);
                names.restore(MYDB);
              }
            } finally {
              done.set(true);
            }
            return 0;
          }
          long last = 0;
          while (!done.get()) {
            long alone = step(names.ledgers().find(MYDB).orElseThrow().indexed());
            assertThat(alone).isGreaterThanOrEqualTo(last);
            ConcernValue index = names.get(MYDB, Concern.INDEX).orElseThrow();
            last = index.payload().map(ReaderRaceContract::step).orElse(0L);
            assertThat(last).isGreaterThanOrEqualTo(alone);
          }
          return 0;
        });
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of("i" + steps, 1 + steps % 3));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(steps);
    assertThat(fixture().record(MYDB).status()).isEqualTo(state(1 + 2L * steps, "ready"));
  }

  @Test
  default void anIndexThatALedgerWasBornWithIsSeenByEveryReader() throws Exception {
    List<NameService> services = fixture().twoInstances();
    int rounds = Math.min(races(), 500);
    for (int i = 0; i < rounds; i++) {
      Address address = Address.parse("born" + i);
      fixture().names().push(address, Concern.INDEX, Optional.empty(), index("i", 5, 0));
    }
    Race.rounds(
        3,
        rounds,
        (thread, round) -> {
          Address address = Address.parse("born" + round);
          NameService names = services.get(thread % 2);
          if (thread == 0) {
            names.ledgers().publishCommit(address, Ref.of(C1, 1));
            return;
          }
          for (int i = 0; i < 5; i++) {
            assertThat(names.get(address, Concern.INDEX)).contains(index("i", 5, 0));
            assertThat(names.find(address).orElseThrow().index()).isEqualTo(index("i", 5, 0));
          }
        });
  }

  private static long step(Ref indexed) {
    return indexed.id().map(id -> Long.parseLong(id.substring(1))).orElse(0L);
  }

  private static long step(Payload index) {
    return Long.parseLong(index.toTree().at("/default/id").textValue().substring(1));
  }

  @Test
  default void aListingIsWholeWhileOthersWrite() throws Exception {
    List<String> stay = IntStream.range(0, 40).mapToObj(i -> "stay" + i + ":main").toList();
    stay.forEach(text -> fixture().names().create(Address.parse(text)));
    List<NameService> services = fixture().twoInstances();
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            try {
              for (int i = 0; i < races(); i++) {
                Address passing = Address.parse("stay" + i % 40 + "x");
                services.get(0).create(passing);
                services
                    .get(0)
                    .ledgers()
                    .publishCommit(Address.parse(stay.get(i % 40)), Ref.of("c" + i, i + 1));
                services.get(0).purge(passing);
              }
            } finally {
              done.set(true);
            }
            return 0;
          }
          do {
            List<String> listed = NamesFixture.texts(services.get(1).list(RecordFilter.all()));
            assertThat(listed).containsAll(stay).isSorted().doesNotHaveDuplicates();
          } while (!done.get());
          return 0;
        });
    assertThat(fixture().listed()).containsExactlyElementsOf(stay.stream().sorted().toList());
  }
}
