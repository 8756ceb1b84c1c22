// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One byte of one object is another, each object in turn: a reader who has never seen the ledger
 * tells the same as before, or fails and names the object.
 */
class FlippedByteTest {

  private static final int FLIPS = Boolean.getBoolean("soak") ? 2_000 : 60;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Some of everything: three types and several commits, each of some of them. */
  @BeforeEach
  void write() {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c1", 1)).ensure(Product.of("p1"));
      session.ensure(Subscription.of("c1", "p1", 1)).commit(Map.of("message", "first"));
      session.ensure(Customer.of("c1", 2)).ensure(Customer.of("c2", 1)).commit();
      session.ensure(Subscription.of("c1", "p1", 2)).commit(Map.of("ticket", "42"));
      session.ensure(Customer.of("c3", 3)).commit();
    }
    ledger.flush();
    ledger.close();
  }

  /** All that a reader is told. */
  private List<String> told() {
    List<String> told = new ArrayList<>();
    try (Ledger ledger = fixture.open()) {
      ledger.log().newestFirst(0).forEach(commit -> told.add(commit.toString()));
      LedgerReader ledgerReader = ledger.reader();
      for (TypeId type : ledgerReader.types()) {
        // When and by whom a version was made is said nowhere else, so nobody could tell.
        ledgerReader.schemas(type).forEach(version -> told.add(type + version.schemaJson()));
        ledgerReader.history(type, 0, row -> told.add(type + " " + row));
        ledgerReader.asOf(type, ledgerReader.commitId(), row -> told.add(type + " now " + row));
        ledgerReader.asOf(type, 2, row -> told.add(type + " then " + row));
      }
      for (long id = 1; id <= ledgerReader.commitId(); id++) {
        told.addAll(LedgerFixture.told(ledger, id));
      }
    }
    return told;
  }

  @Test
  void nothingWrongIsToldAndTheObjectIsNamed() {
    Seed seed = Seed.of("nothingWrongIsToldAndTheObjectIsNamed");
    RandomGenerator random = seed.random();
    List<String> before = told();
    for (String path : fixture.paths()) {
      byte[] right = fixture.bytes(path);
      for (int i = 0; i < FLIPS; i++) {
        byte[] flipped = right.clone();
        int at = random.nextInt(flipped.length);
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        fixture.write(path, flipped);
        isToldOrNamed(before, path, seed + " " + path + " with " + around(flipped, at));
      }
      fixture.write(path, right);
    }
    assertThat(told()).isEqualTo(before);
  }

  private void isToldOrNamed(List<String> before, String path, String what) {
    try {
      assertThat(told()).as(what).isEqualTo(before);
    } catch (TidemarkException e) {
      assertThat(e).as(what).hasMessageContaining(path);
    }
  }

  @Test
  void whatIsMissingIsMissedAndNamed() {
    List<String> before = told();
    for (String path : fixture.paths()) {
      byte[] right = fixture.bytes(path);
      fixture.delete(path);
      isToldOrNamed(before, path.equals("meta/head.json") ? "there is no ledger" : path, path);
      fixture.write(path, right.length == 0 ? right : new byte[0]);
      isToldOrNamed(before, path, path + " is empty");
      fixture.write(path, Arrays.copyOf(right, right.length / 2));
      isToldOrNamed(before, path, path + " is cut off");
      fixture.write(path, right);
    }
    assertThat(told()).isEqualTo(before);
  }

  private static String around(byte[] bytes, int at) {
    int from = Math.max(0, at - 20);
    return new String(bytes, from, Math.min(bytes.length, at + 20) - from, ISO_8859_1);
  }
}
