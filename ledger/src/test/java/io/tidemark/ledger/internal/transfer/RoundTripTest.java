// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.OnConflict;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported and imported is the same, for values of every type at random. */
class RoundTripTest {

  private static final TypeId THING = TypeId.entity("Thing");
  private static final TypeId LINK = TypeId.relation("Link");
  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse(
          """
          [{"entity": "Thing", "key": "id", "fields": {
             "id": "string", "whole": "long", "real": "double", "yes": "boolean",
             "exact": "decimal", "at": "instant", "maybe": "string?", "list": ["long"],
             "map": {"*": "double"}, "part": {"a": "string", "b": "long?"}, "any": "any"}},
           {"relation": "Link", "left": "Thing", "right": "Thing", "instanceKey": "nr",
            "fields": {"nr": "string", "weight": "double?"}}]
          """);
  private static final String[] TEXTS = {
    "a", "B", "\u00e9", "\ud83d\ude00", "\"", "\\", "a\nb", "x\u2028", "/", "'", "0", "null", "]"
  };

  @TempDir private Path directory;

  @Test
  void whatIsExportedAndImportedIsTheSame() throws IOException {
    Seed seed = Seed.of("whatIsExportedAndImportedIsTheSame");
    RandomGenerator random = seed.random();
    try (Ledger first = ledger();
        Ledger second = ledger()) {
      for (int i = 0; i < 5; i++) {
        commit(first, random);
      }
      Map<String, List<String>> before = exported(first, "before");
      LedgerImportReport report = load(second, OnConflict.ABORT);

      assertThat(report.commits()).as("%s", seed).containsExactly(1L);
      assertThat(exported(second, "after")).as("%s", seed).isEqualTo(before);
      assertThat(load(first, OnConflict.UPSERT).commits()).as("%s", seed).isEmpty();
    }
  }

  private static Ledger ledger() {
    ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
    new LedgerInitializer(store, "").init();
    return Ledger.open(store, "", LedgerOptions.standard());
  }

  private LedgerImportReport load(Ledger ledger, OnConflict policy) throws IOException {
    Path exported = directory.resolve("before");
    LedgerImportOptions options =
        LedgerImportOptions.standard()
            .withMode(Mode.APPLY)
            .withOnConflict(policy)
            .withDeclared(Inputs.schemasOf(exported));
    return new LedgerImport(ledger, options).from(Inputs.ofExport(exported), n -> {});
  }

  /** The lines of each file in order, since rows are exported in the order of their commits. */
  private Map<String, List<String>> exported(Ledger ledger, String name) throws IOException {
    Path target = directory.resolve(name);
    Inputs.write(new LedgerExport(ledger, LedgerExportOptions.standard()), target);
    Map<String, List<String>> files = new TreeMap<>();
    try (Stream<Path> found = Files.list(target)) {
      for (Path file : found.toList()) {
        files.put(
            file.getFileName().toString(), Files.readAllLines(file).stream().sorted().toList());
      }
    }
    assertThat(files).hasSize(3);
    return files;
  }

  private static void commit(Ledger ledger, RandomGenerator random) {
    try (Session session = ledger.session(TYPES)) {
      for (int i = 0; i < 60; i++) {
        session.ensure(THING, thing(random));
        ObjectNode link = CanonicalJson.object();
        link.put("weight", random.nextBoolean() ? random.nextDouble() : null);
        RelationKey key = new RelationKey(key(random), key(random), key(random));
        session.ensure(LINK, key, link);
      }
      session.commit();
    }
  }

  private static ObjectNode thing(RandomGenerator random) {
    ObjectNode json = CanonicalJson.object();
    json.put("id", key(random));
    json.put("whole", random.nextLong());
    json.put("real", Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
    json.put("yes", random.nextBoolean());
    json.put("exact", BigDecimal.valueOf(random.nextLong(), random.nextInt(19)));
    json.put("at", Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L)).toString());
    json.put("maybe", random.nextBoolean() ? key(random) : null);
    ArrayNode list = json.putArray("list");
    ObjectNode map = json.putObject("map");
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(random.nextInt());
      map.put(key(random), random.nextGaussian());
    }
    json.putObject("part").put("a", key(random)).put("b", random.nextBoolean() ? 1L : null);
    json.putArray("any").add(key(random)).add(random.nextInt()).addNull();
    return json;
  }

  private static String key(RandomGenerator random) {
    String text = TEXTS[random.nextInt(TEXTS.length)];
    return random.nextInt(3) == 0 ? text : text + TEXTS[random.nextInt(TEXTS.length)];
  }
}
