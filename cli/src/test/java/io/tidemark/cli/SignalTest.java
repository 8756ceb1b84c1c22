// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.IndexMaintenance;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are told to end while they write, as by Ctrl-C; case G13. */
class SignalTest {

  private static final String TYPE =
      "{\"entity\":\"Item\",\"key\":\"id\",\"fields\":{\"id\":\"long\",\"text\":\"string\"}}";
  private static final TypeId ITEM = TypeId.entity("Item");
  private static final Address LEDGER = Address.parse("crm");
  private static final long LIMIT = Duration.ofSeconds(100).toNanos();

  @TempDir private Path directory;

  private String data() {
    return directory.resolve("data").toString();
  }

  @BeforeEach
  void init() {
    try (NameService names = NameService.open(data());
        NamedLedgers.LedgerLocation ledgerLocation =
            new NamedLedgers(names).claim(LEDGER, Optional.empty())) {
      ledgerLocation.init().init();
    }
  }

  private ChildJvm importing(int rows, String... more) throws IOException {
    String lines =
        IntStream.range(0, rows)
            .mapToObj(i -> "{\"type_kind\":\"entity\",\"type_name\":\"Item\",\"fields\":" + row(i))
            .collect(Collectors.joining("}\n", "", "}\n"));
    List<String> words = new ArrayList<>(List.of("import", "crm"));
    words.add(Files.writeString(directory.resolve("rows.jsonl"), lines).toString());
    words.addAll(List.of("--apply", "--on-conflict", "upsert", "--data", data(), "--schema"));
    words.add(Files.writeString(directory.resolve("schema.json"), TYPE).toString());
    words.addAll(List.of(more));
    return ChildJvm.start(TidemarkCommand.class, words.toArray(String[]::new));
  }

  private static String row(int i) {
    return "{\"id\":" + i + ",\"text\":\"" + "x".repeat(100) + "\"}";
  }

  /** Opens the ledger as a writer that has no time to wait for the lock of another. */
  private void withLedger(Consumer<Ledger> work) {
    WriterSettings usual = WriterSettings.standard();
    WriterSettings impatient =
        new WriterSettings(
            "impatient",
            usual.leaseTtl(),
            Duration.ofMillis(1),
            usual.idleAfter(),
            usual.retry(),
            usual.time());
    try (NameService names = NameService.open(data());
        NamedLedgers.OpenLedger openLedger =
            new NamedLedgers(names).open(LEDGER, LedgerOptions.standard().withWriter(impatient))) {
      work.accept(openLedger.ledger());
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as(what).isLessThan(LIMIT);
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static void writesAtOnce(Ledger ledger, int row) {
    assertThat(
            ledger.write(
                DeclaredSchema.parse(TYPE),
                Map.of(),
                session -> session.ensure(ITEM, object().put("id", row).put("text", "new"))))
        .isPresent();
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void theNextWriterGetsTheLockAtOnceAndCommitsAreWhole(String signal, int exitCode)
      throws IOException {
    try (ChildJvm child = importing(12_000, "--batch", "4")) {
      withLedger(ledger -> await("commits come", () -> ledger.log().head().orElse(0L) >= 3));

      assertThat(child.endBy(signal)).isEqualTo(exitCode);

      assertThat(child.errors())
          .singleElement()
          .asString()
          .startsWith("tidemark: writing to the ledger in ")
          .contains("was stopped; commits that were made stay");
    }
    withLedger(
        ledger -> {
          long made = ledger.log().head().orElseThrow();
          assertThat(made).isLessThan(3_000);
          assertThat(ledger.log().newestFirst(0).map(Commit::operations)).containsOnly(4L);
          assertThat(ledger.reader().count(ITEM)).isEqualTo(4 * made);
          assertThat(ledger.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT).ok()).isTrue();
          writesAtOnce(ledger, 12_000);
          assertThat(ledger.log().head()).contains(made + 1);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "meta/locks/ontology_write.json",
        "meta/schema/versions/entity/Item.json",
        "commits",
        "meta/indices/entities/Item.json"
      })
  void anImportThatIsOneCommitIsThereAsAWholeOrNotAtAll(String sign) throws IOException {
    int rows = 20_000;
    Path objects = directory.resolve("data/ledgers/crm");
    try (ChildJvm child = importing(rows)) {
      await(sign, () -> Files.exists(objects.resolve(sign)));
      child.endBy("INT");
    }
    assertThat(objects.resolve("meta/locks/ontology_write.json")).content().contains("1970-01-01");
    withLedger(
        ledger -> {
          long commits = ledger.log().head().orElse(0L);
          assertThat(commits).isLessThanOrEqualTo(1);
          assertThat(ledger.reader().count(ITEM)).isEqualTo(commits * rows);
          writesAtOnce(ledger, rows);
          assertThat(ledger.log().head()).contains(commits + 1);
        });
  }

  @Test
  void aForcedInitGivesTheLockBackAndIsDoneAsAWholeOrNotAtAll() throws IOException {
    Path objects = directory.resolve("data/ledgers/crm");
    withLedger(ledger -> writesAtOnce(ledger, 1));
    for (int i = 0; i < 3_000; i++) { // which takes it a while
      Files.writeString(objects.resolve("meta/indices/entities/T" + i + ".json"), "{}");
    }
    String token;
    try (NameService names = NameService.open(data());
        NamedLedgerInitializer init = new NamedLedgerInitializer(names, LEDGER, Optional.empty())) {
      token = init.plan().forceToken();
    }
    Path lock = objects.resolve("meta/locks/ontology_write.json");
    try (ChildJvm child =
        ChildJvm.start(
            TidemarkCommand.class,
            "ledger",
            "init",
            "crm",
            "--force",
            "--token",
            token,
            "--data",
            data())) {
      await("it begins", () -> !Files.exists(objects.resolve("meta/indices/entities/T0.json")));
      child.endBy("INT");
    }
    assertThat(lock).content().contains("1970-01-01");
    withLedger(
        ledger -> {
          long commits = ledger.log().head().orElse(0L);
          assertThat(ledger.reader().types()).hasSize((int) commits);
          writesAtOnce(ledger, 2);
        });
  }
}
