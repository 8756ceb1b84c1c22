// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a migration makes of what earlier programs left, to the byte, and what it leaves alone. */
class ObjectMigrationTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-10T12:00:00Z"), ZoneOffset.UTC);
  private static final Address MYDB = Address.parse("mydb");

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private final AtomicInteger ids = new AtomicInteger();

  private NameService names() {
    return new NameService(open(DocumentLayout.B), NameOptions.standard().withoutNotifications());
  }

  @Test
  void olderPlacesBecomeOne_names55() {
    place("ns@v1/led@dev.json", "e1-ledger.json");
    place("ns@v1/a/b/main.json", "e2-ledger.json");
    place("led.json", "e0-root.json");
    List<MigrationEntry> expected =
        List.of(
            line("ns@v1/a/b/main.json", "v1 nested", "a/b:main", Outcome.CONVERTED, ""),
            line("ns@v1/led@dev.json", "v1 flat", "led:dev", Outcome.CONVERTED, ""),
            line("led.json", "root file", "led:main", Outcome.CONVERTED, ""));
    Map<String, String> before = everything();

    assertThat(migrate(MigrationMode.DRY_RUN)).isEqualTo(expected);
    assertThat(everything()).isEqualTo(before);
    assertThat(migrate(MigrationMode.APPLY)).isEqualTo(expected);
    assertThat(everything())
        .containsOnlyKeys(
            "ns@v2/a/b/main.index.json",
            "ns@v2/a/b/main.json",
            "ns@v2/led/dev.json",
            "ns@v2/led/main.index.json",
            "ns@v2/led/main.json")
        .containsEntry("ns@v2/led/dev.json", fixture("migrated-e1.json"))
        .containsEntry("ns@v2/led/main.json", fixture("migrated-e0.json"))
        .containsEntry("ns@v2/led/main.index.json", fixture("migrated-e0.index.json"));

    Map<String, String> after = everything();
    assertThat(migrate(MigrationMode.DRY_RUN)).isEmpty();
    assertThat(migrate(MigrationMode.APPLY)).as("a second run").isEmpty();
    assertThat(everything()).isEqualTo(after);
  }

  @Test
  void whatWasMovedIsReadAndWrittenLikeAnyRecord() {
    place("ns@v1/a/b/main.json", "e2-ledger.json");
    place("led.json", "e0-root.json");
    migrate(MigrationMode.APPLY);
    try (NameService names = names()) {
      NameRecord led = names.find(Address.parse("led")).orElseThrow();
      assertThat(led.commit()).isEqualTo(Ref.of("fluree:file://led/commit/bb3kuohkg.json", 7));
      assertThat(led.indexed()).isEqualTo(Ref.of("fluree:file://led/index/root/5a4e.json", 5));
      names.ledgers().publishCommit(led.address(), Ref.of("c8", 8));
      names.ledgers().publishIndex(led.address(), Ref.of("i8", 8));
      NameRecord moved = names.find(led.address()).orElseThrow();
      assertThat(moved.commit()).isEqualTo(Ref.of("c8", 8));
      assertThat(moved.indexed()).isEqualTo(Ref.of("i8", 8));
      assertThat(names.find(Address.parse("a/b")).orElseThrow().indexed())
          .isEqualTo(Ref.of("fluree:file://mydb/index/root.json", 40));
    }
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  @Test
  void aRecordThatIsThereStays_names55() {
    place("ns@v1/led@dev.json", "e1-ledger.json");
    Address dev = Address.parse("led:dev");
    try (NameService names = names()) {
      names.create(dev);
      names.ledgers().publishCommit(dev, Ref.of("newer", 9));
    }
    String before = text("ns@v2/led/dev.json");
    List<MigrationEntry> expected =
        List.of(line("ns@v1/led@dev.json", "v1 flat", "led:dev", Outcome.SUPERSEDED, ""));
    assertThat(migrate(MigrationMode.DRY_RUN)).isEqualTo(expected);
    assertThat(migrate(MigrationMode.APPLY)).isEqualTo(expected);
    assertThat(everything()).isEqualTo(Map.of("ns@v2/led/dev.json", before));
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  @Test
  void anOldDocumentThatIsAheadOfTheRecordIsntThrownAway() {
    place("ns@v1/led@dev.json", "e1-ledger.json");
    try (NameService names = names()) {
      names.create(Address.parse("led:dev"));
    }
    Map<String, String> before = everything();
    assertThat(migrate(MigrationMode.APPLY))
        .containsExactly(
            line(
                "ns@v1/led@dev.json",
                "v1 flat",
                "led:dev",
                Outcome.FAILED,
                "its head is at t 9, but that of the record is at t 0; advance the record's head,"
                    + " or delete this one, and run this again"));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void neitherIsASourceThatIsAhead() {
    put(
        "ns@v1/search@main.json",
        """
        {"@context": {"f": "https://ns.flur.ee/ledger#"}, "@id": "search@main",
         "@type": ["f:VirtualGraphDatabase", "fidx:BM25"], "f:name": "search", "f:branch": "main",
         "fidx:config": {"@value": "{}"}, "fidx:index": {"@value": "i8"}, "fidx:indexT": 8}
        """);
    Address search = Address.parse("search");
    try (NameService names = names()) {
      names.graphSources().publish(search, SourceType.BM25, Payload.parse("{}"), List.of());
    }
    Map<String, String> before = everything();
    assertThat(migrate(MigrationMode.APPLY))
        .containsExactly(
            line(
                "ns@v1/search@main.json",
                "v1 flat",
                "search:main",
                Outcome.FAILED,
                "its index is at t 8, but that of the record is at t 0; advance the record's"
                    + " index, or delete this one, and run this again"));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void theYoungerPlaceCountsWhenARecordIsInSeveral() {
    place("led.json", "e0-root.json");
    put("ns@v1/led@main.json", fixture("e1-ledger.json").replace("dev", "main"));
    List<MigrationEntry> expected =
        List.of(
            line("ns@v1/led@main.json", "v1 flat", "led:main", Outcome.CONVERTED, ""),
            line("led.json", "root file", "led:main", Outcome.SUPERSEDED, ""));
    assertThat(migrate(MigrationMode.DRY_RUN)).isEqualTo(expected);
    assertThat(migrate(MigrationMode.APPLY)).isEqualTo(expected);
    assertThat(everything()).containsOnlyKeys("ns@v2/led/main.json");
  }

  @ParameterizedTest
  @CsvSource({
    "e2, v2 ledger#, ",
    "e3, v2 db:, ",
    "e4, v2 pointers, ",
    "e5, v2 bare, v2 bare",
    "s000, v2 plain keys, v2 plain keys",
    "s001, v2 pointers, v2 pointers",
  })
  void ledgersOfEachEraAreRewrittenWhereTheyAre(String era, String form, String indexForm) {
    place("ns@v2/mydb/main.json", era + "-ledger.json");
    if (indexForm != null) {
      place("ns@v2/mydb/main.index.json", era + "-ledger.index.json");
    }
    rewrittenInPlace(MYDB, form, indexForm);
    assertThat(text("ns@v2/mydb/main.json"))
        .doesNotContain("f:commit\"", "\"db:", "\"pk\"", "f:ledgerIndex");
    if (fixture(era + "-ledger.json").contains("note\"")) {
      assertThat(text("ns@v2/mydb/main.json")).contains("note\": ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "e2, e2, v2 ledger#, v2 ledger#",
    "e3, e4, v2 db:, v2 pointers",
    "e3, s001, v2 db:, v2 pointers",
    "s000, s000, v2 plain keys, v2 plain keys",
  })
  void graphSourcesOfEachEraAreRewrittenWhereTheyAre(
      String era, String indexEra, String form, String indexForm) {
    place("ns@v2/search/main.json", era + "-source.json");
    place("ns@v2/search/main.index.json", indexEra + "-source.index.json");
    put("ns@v2/search/main.snapshots.json", "{}");
    rewrittenInPlace(Address.parse("search"), form, indexForm);
    assertThat(text("ns@v2/search/main.json")).doesNotContain("fidx:", "\"db:", "\"pk\"");
    assertThat(text("ns@v2/search/main.index.json")).doesNotContain("fidx:", "f:indexId");
  }

  /** Converts one record, of which nothing that a reader sees may change. */
  private void rewrittenInPlace(Address address, String form, String indexForm) {
    String main = new RecordKey(address, RecordKey.Part.MAIN).text();
    String index = new RecordKey(address, RecordKey.Part.INDEX).text();
    Stream<MigrationEntry> lines =
        Stream.of(line(main, form, address.toString(), Outcome.CONVERTED, ""));
    List<MigrationEntry> expected =
        (indexForm == null
                ? lines
                : Stream.concat(
                    lines,
                    Stream.of(line(index, indexForm, address.toString(), Outcome.CONVERTED, ""))))
            .toList();
    NameRecord before = find(address).orElseThrow();
    Map<String, String> untouched = everything();

    assertThat(migrate(MigrationMode.DRY_RUN)).isEqualTo(expected);
    assertThat(everything()).isEqualTo(untouched);
    assertThat(migrate(MigrationMode.APPLY)).isEqualTo(expected);
    assertThat(find(address)).contains(before);
    assertThat(store.get(index)).as("the index has a document of its own").isPresent();
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  @Test
  void whatAMigrationWritesToTheByte() {
    place("ns@v2/mydb/main.json", "e2-ledger.json");
    migrate(MigrationMode.APPLY);
    assertThat(text("ns@v2/mydb/main.json")).isEqualTo(fixture("migrated-e2.json"));
    assertThat(text("ns@v2/mydb/main.index.json")).isEqualTo(fixture("migrated-e2.index.json"));
  }

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void newRecordsAreInTheLayoutOfTheBackend(DocumentLayout documentLayout) {
    place("led.json", "e0-root.json");
    try (ObjectNameBackend backend = open(documentLayout);
        Stream<MigrationEntry> lines = backend.migrate(MigrationMode.APPLY)) {
      assertThat(lines).hasSize(1);
    }
    assertThat(everything().keySet())
        .containsExactlyElementsOf(
            switch (documentLayout) {
              case A -> List.of("ns@v2/led/main.json");
              case B -> List.of("ns@v2/led/main.index.json", "ns@v2/led/main.json");
              case C -> List.of("ns@v2/led/main.head.json", "ns@v2/led/main.index.json");
            });
    for (DocumentLayout reading : DocumentLayout.values()) {
      NameRecord led = open(reading).find(Address.parse("led")).orElseThrow();
      assertThat(led.commit().t()).isEqualTo(7);
      assertThat(led.indexed().t()).isEqualTo(5);
    }
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  @Test
  void anIndexThatDoesntSayHowFarItIsClaimsNothing() {
    put("led.json", fixture("e0-root.json").replace("\"data\": {\"t\": 5}", "\"id\": \"x\""));
    migrate(MigrationMode.APPLY);
    NameRecord led = find(Address.parse("led")).orElseThrow();
    assertThat(led.indexed()).isEqualTo(Ref.of("fluree:file://led/index/root/5a4e.json", 0));
    assertThat(led.hasNovelty()).isTrue();
  }

  @Test
  void severalBranchesOfARootFileBecomeSeveralRecords() {
    String json =
        "{\"ledgerAlias\":\"led\",\"branches\":["
            + "{\"commit\":{\"address\":\"c1\",\"data\":{\"t\":1}}},"
            + "{\"commit\":{\"address\":\"c2\",\"branch\":\"dev\",\"data\":{\"t\":2}}},"
            + "{\"commit\":{\"branch\":\"empty\"}}]}";
    put("led.json", json);
    assertThat(migrate(MigrationMode.APPLY)).hasSize(3);
    assertThat(find(Address.parse("led")).orElseThrow().commit()).isEqualTo(Ref.of("c1", 1));
    assertThat(find(Address.parse("led:dev")).orElseThrow().commit()).isEqualTo(Ref.of("c2", 2));
    assertThat(find(Address.parse("led:empty")).orElseThrow().head().isUnborn()).isTrue();
    assertThat(store.get("led.json")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\": \"tidemark\", \"version\": 3}",
        "[1, 2]",
        "no JSON at all",
        "",
        "{\"text\": \"a \\\"ledgerAlias\\\" is a name\"}",
        "{\"nested\": {\"ledgerAlias\": \"x\"}}",
      })
  void filesOfOthersInTheRootAreLeftAlone(String text) {
    put("package.json", text);
    put("led/commit/x.json", fixture("e0-root.json"));
    put("led/led.json", fixture("e0-root.json"));
    put("notes.txt", fixture("e0-root.json"));
    put("large.json", fixture("e0-root.json") + " ".repeat(1 << 20));
    Map<String, String> before = everything();
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'ledgerAlias': 'led', | is no JSON: ",
        "{'ledgerAlias': 'led'} | has no branches; ",
        "{'ledgerAlias': 'my led', 'branches': [{}]} | has a name that isn't allowed; ",
        "{'ledgerAlias': 'led', 'branches': [{'commit': {'address': 'c'}}]} | has a commit"
            + " without data.t; ",
        "{'ledgerAlias': 'led', 'branches': [{}, {}]} | has the branch main twice; ",
      })
  void aDamagedRootFileIsNamedAndLeft(String json, String problem) {
    put("led.json", json.replace('\'', '"'));
    put("ns@v1/ok@main.json", fixture("e1-ledger.json"));
    List<MigrationEntry> lines = migrate(MigrationMode.APPLY);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).outcome()).isEqualTo(Outcome.CONVERTED);
    assertThat(lines.get(1).from()).isEqualTo("led.json");
    assertThat(lines.get(1).to()).isEmpty();
    assertThat(lines.get(1).outcome()).isEqualTo(Outcome.FAILED);
    assertThat(lines.get(1).note()).contains(problem);
    assertThat(text("led.json")).isEqualTo(json.replace('\'', '"'));
  }

  @Test
  void aDamagedDocumentDoesntStopTheOthers() {
    put("ns@v2/a/main.json", "{\"@id\": \"a:main\", ");
    place("ns@v2/mydb/main.json", "e2-ledger.json");
    put("ns@v2/my db/main.json", fixture("e2-ledger.json"));
    put("ns@v1/b@main.json", "{\"f:t\": 1}");
    put("ns@v1/c@.json", fixture("e1-ledger.json"));
    put("ns@v1/empty@main.json", "");
    assertThat(migrate(MigrationMode.APPLY))
        .extracting(l -> l.from() + " " + l.outcome() + " " + l.note().split(";", 2)[0])
        .containsExactly(
            "ns@v2/a/main.json FAILED ns@v2/a/main.json of a:main is no JSON:"
                + " Unexpected end-of-input within/between Object entries",
            "ns@v2/mydb/main.json CONVERTED ",
            "ns@v2/my db/main.json FAILED no record can have such a name here",
            "ns@v1/b@main.json FAILED ns@v1/b@main.json says neither that it is a ledger nor a"
                + " graph source",
            "ns@v1/c@.json FAILED the address \"c@\" has a name that isn't allowed");
    assertThat(text("ns@v2/a/main.json")).isEqualTo("{\"@id\": \"a:main\", ");
  }

  @Test
  void aBranchWithASlashIsFoundByItsAddress_names56() {
    put("ns@v2/mydb/feature/auth.json", slashBranch("mydb", "feature/auth"));
    place("ns@v2/mydb/feature/auth.index.json", "e5-ledger.index.json");
    put("ns@v1/x/release/v1.json", slashBranch("x", "release/v1"));
    put("ns@v2/tenant/db/main.json", slashBranch("tenant/db", "main"));
    NameRecord before = find(Address.parse("mydb/feature:auth")).orElseThrow();
    List<MigrationEntry> expected =
        List.of(
            line(
                "ns@v2/mydb/feature/auth.json",
                "v2 slash branch",
                "mydb:feature/auth",
                Outcome.CONVERTED,
                ""),
            line("ns@v2/tenant/db/main.json", "v2 bare", "tenant/db:main", Outcome.CONVERTED, ""),
            line("ns@v1/x/release/v1.json", "v1 nested", "x:release/v1", Outcome.CONVERTED, ""));
    assertThat(migrate(MigrationMode.DRY_RUN)).isEqualTo(expected);
    assertThat(migrate(MigrationMode.APPLY)).isEqualTo(expected);
    assertThat(everything())
        .containsOnlyKeys(
            "ns@v2/mydb/feature%2Fauth.index.json",
            "ns@v2/mydb/feature%2Fauth.json",
            "ns@v2/tenant/db/main.json",
            "ns@v2/x/release%2Fv1.json");
    NameRecord after = find(Address.parse("mydb:feature/auth")).orElseThrow();
    assertThat(after.commit()).isEqualTo(before.commit()).isEqualTo(Ref.of("c5", 42));
    assertThat(after.indexed()).isEqualTo(before.indexed());
    assertThat(after.indexed().t()).isEqualTo(41);
    assertThat(find(Address.parse("mydb/feature:auth"))).isEmpty();
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  private static String slashBranch(String name, String branch) {
    return """
        {"@context": {"f": "https://ns.flur.ee/db#"}, "@id": "%1$s:%2$s",
         "@type": ["f:LedgerSource"], "f:ledger": {"@id": "%1$s"}, "f:branch": "%2$s",
         "f:commitCid": "c5", "f:t": 42, "f:status": "ready", "f:statusV": 1}
        """
        .formatted(name, branch);
  }

  @Test
  void recordsOfTodayArentTouched() {
    try (NameService names = names()) {
      names.create(MYDB);
      names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));
      names.ledgers().publishIndex(MYDB, Ref.of("i5", 5));
      names.branches().create(MYDB, "dev", Optional.empty());
      names.retract(Address.parse("mydb:dev"));
    }
    Map<String, String> before = everything();
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
    assertThat(everything()).isEqualTo(before);
  }

  private List<MigrationEntry> migrate(MigrationMode mode) {
    try (Stream<MigrationEntry> lines = open(DocumentLayout.B).migrate(mode)) {
      return lines.toList();
    }
  }

  private ObjectNameBackend open(DocumentLayout documentLayout) {
    return new ObjectNameBackend(
        store, documentLayout, Retry.standard(), CLOCK, () -> "id-" + ids.incrementAndGet());
  }

  private Optional<NameRecord> find(Address address) {
    return open(DocumentLayout.B).find(address);
  }

  private static MigrationEntry line(
      String from, String form, String to, Outcome outcome, String note) {
    return new MigrationEntry(from, form, Optional.of(Address.parse(to)), outcome, note);
  }

  private Map<String, String> everything() {
    Map<String, String> all = new TreeMap<>();
    try (Stream<ObjectInfo> infos = store.list("")) {
      infos.forEach(info -> all.put(info.key(), text(info.key())));
    }
    return all;
  }

  private String text(String key) {
    return store.get(key).orElseThrow().text();
  }

  private void place(String key, String fixture) {
    put(key, fixture(fixture));
  }

  private void put(String key, String text) {
    store.put(key, Body.of(text), Condition.none());
  }

  private static String fixture(String name) {
    try (InputStream stream = requireNonNull(ObjectMigrationTest.class.getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
