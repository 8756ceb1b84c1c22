// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every layout must do, on a store in memory and in a directory. */
class ObjectNameBackendTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-10T12:00:00Z"), ZoneOffset.UTC);
  private static final Address MYDB = Address.parse("mydb");

  @Nested
  class A extends Suite {
    @Override
    ObjectBackend objects() {
      return new MemoryBackend();
    }

    @Override
    DocumentLayout layout() {
      return DocumentLayout.A;
    }
  }

  @Nested
  class B extends Suite {
    @Override
    ObjectBackend objects() {
      return new MemoryBackend();
    }

    @Override
    DocumentLayout layout() {
      return DocumentLayout.B;
    }
  }

  @Nested
  class C extends Suite {
    @Override
    ObjectBackend objects() {
      return new MemoryBackend();
    }

    @Override
    DocumentLayout layout() {
      return DocumentLayout.C;
    }
  }

  @Nested
  class InADirectory extends Suite {
    @TempDir Path root;

    @Override
    ObjectBackend objects() {
      return DirectoryBackend.open(root, Durability.PAGE_CACHE);
    }

    @Override
    DocumentLayout layout() {
      return DocumentLayout.B;
    }
  }

  @Nested
  class WithoutConditionalDelete extends Suite {
    @Override
    ObjectBackend objects() {
      return new RecordingBackend(false);
    }

    @Override
    DocumentLayout layout() {
      return DocumentLayout.B;
    }

    @Override
    boolean leavesNothing() {
      return false;
    }
  }

  abstract static class Suite {
    private final List<ObjectNameBackend> opened = new ArrayList<>();
    private Optional<ObjectBackend> shared = Optional.empty();

    abstract ObjectBackend objects();

    abstract DocumentLayout layout();

    boolean leavesNothing() {
      return true;
    }

    private ObjectStore store() {
      if (shared.isEmpty()) {
        shared = Optional.of(objects());
      }
      return new ObjectStore(shared.get(), Retry.standard());
    }

    /** A backend as another process would open it: over the same objects, knowing nothing. */
    private ObjectNameBackend open() {
      return open(layout());
    }

    private ObjectNameBackend open(DocumentLayout documentLayout) {
      ObjectNameBackend backend =
          new ObjectNameBackend(store(), documentLayout, Retry.standard(), CLOCK);
      opened.add(backend);
      return backend;
    }

    private static NameService names(ObjectNameBackend backend) {
      return new NameService(
          backend, NameOptions.standard().withoutNotifications().withClock(CLOCK));
    }

    private List<String> keys() {
      try (Stream<ObjectInfo> infos = store().list("")) {
        return infos.map(ObjectInfo::key).toList();
      }
    }

    private static ConcernChange push(Concern concern, ConcernValue expected, ConcernValue next) {
      return new ConcernChange.Push(concern, expected, next);
    }

    private static ConcernValue value(long watermark, String json) {
      return ConcernValue.of(watermark, Payload.parse(json));
    }

    private static ConcernValue index(long t) {
      return value(t, "{\"default\":{\"id\":\"i" + t + "\",\"t\":" + t + ",\"rev\":0}}");
    }

    @Test
    void everyPayloadComesBackExactly() {
      ObjectNameBackend backend = open();
      names(backend).create(MYDB);
      String odd =
          "{\"state\":\"x\",\"big\":123456789012345678901234567890,\"t\":9007199254740993,"
              + "\"f\":1.10,\"e\":1e400,\"n\":null,\"o\":{},\"a\":[1,[2]],\"id\":7,\"config_id\":5,"
              + "\"default_context\":\"c\",\"default\":{\"id\":\"i\",\"t\":1,\"rev\":3}}";
      List<ConcernValue> values =
          List.of(
              value(5, odd),
              value(6, "{}"),
              new ConcernValue(7, Optional.empty()),
              value(8, "{\"state\":\"ready\"}"),
              value(9, "{\"state\":\"\",\"id\":\"\",\"default\":{\"id\":\"\"}}"),
              value(10, "{\"id\":\"c\",\"t\":10}"),
              value(11, "{\"default_context_id\":\"x\",\"config_id\":\"y\",\"z\":1}"),
              value(12, "{\"default_context_id\":\"x\",\"default_context\":\"y\"}"),
              value(13, "{\"default\":{\"id\":\"i\",\"t\":13,\"rev\":0},\"g\":{\"id\":\"j\"}}"));
      for (ConcernValue next : values) {
        for (Concern concern : Concern.values()) {
          ConcernValue before = backend.get(MYDB, concern).orElseThrow();
          assertThat(backend.change(MYDB, push(concern, before, next)))
              .isEqualTo(new Applied(next));
          ObjectNameBackend other = open();
          assertThat(other.get(MYDB, concern)).as("%s", concern).contains(next);
          assertThat(other.find(MYDB).orElseThrow().concern(concern)).isEqualTo(next);
        }
      }
      assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(values.size());
    }

    @Test
    void graphSourcesKeepTheirSetUpAsText() {
      NameService names = names(open());
      Address search = Address.parse("search");
      String text = "{ \"k1\" : 1.20,\n \"b\":0.75 }";
      NameRecord made =
          names
              .graphSources()
              .publish(search, SourceType.BM25, Payload.parse(text), List.of("src:main"));
      assertThat(open().find(search)).contains(made);
      assertThat(open().get(search, Concern.CONFIG).orElseThrow().payload().orElseThrow().toJson())
          .isEqualTo(text);
      assertThat(open().get(search, Concern.HEAD)).isEmpty();
      names.graphSources().publishIndex(search, Ref.of("i10", 10));
      names.graphSources().retract(search);
      names.graphSources().publish(search, SourceType.JDBC, Payload.parse("{}"), List.of());
      NameRecord now = open().find(search).orElseThrow();
      assertThat(now.indexed()).isEqualTo(Ref.of("i10", 10));
      assertThat(now.meta().retracted()).isTrue();
      assertThat(now.config()).isEqualTo(value(2, "{}"));
      assertThat(now.meta().sourceType()).contains(SourceType.JDBC);
    }

    @Test
    void aRecordThatWasReplacedIsFoundAsItWasGiven() {
      ObjectNameBackend backend = open();
      NameService names = names(backend);
      names.create(MYDB);
      names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));
      names.ledgers().publishIndex(MYDB, Ref.of("i5", 5));
      NameRecord reset =
          names.ledgers().reset(MYDB, new Ledgers.Heads(Ref.of("c1", 1), Ref.UNBORN));
      assertThat(open().find(MYDB)).contains(reset);
      assertThat(open().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
      names(open()).ledgers().publishIndex(MYDB, Ref.of("i2", 2));
      assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i2", 2));
      assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(3);
      NameRecord retracted = names.retract(MYDB);
      assertThat(open().find(MYDB)).contains(retracted);
      assertThat(open().change(MYDB, push(Concern.INDEX, index(2), index(3))))
          .isEqualTo(Retracted.RETRACTED);
      assertThat(open().change(MYDB, push(Concern.HEAD, index(2), index(3))))
          .isEqualTo(Retracted.RETRACTED);
      assertThat(names(open()).retract(MYDB)).isEqualTo(retracted);
      NameRecord restored = names(open()).restore(MYDB);
      assertThat(open().find(MYDB)).contains(restored);
      assertThat(restored.indexed()).isEqualTo(Ref.of("i2", 2));
      names(open()).ledgers().publishIndexAllowEqual(MYDB, Ref.of("i2b", 2));
      assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i2b", 2));
      assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(4);
    }

    @Test
    void anEditThatWasOvertakenIsDecidedAnew() {
      ObjectNameBackend backend = open();
      for (EditDecision editDecision : List.of(EditDecision.remove(), EditDecision.keep())) {
        names(backend).create(MYDB);
        AtomicInteger calls = new AtomicInteger();
        Optional<EditResult> edited =
            backend.edit(
                MYDB,
                seen -> {
                  if (calls.incrementAndGet() == 1) {
                    names(open()).ledgers().publishIndex(MYDB, Ref.of("i5", 5));
                    return EditDecision.replace(seen, seen.with(Concern.INDEX, index(1), 1));
                  }
                  return editDecision;
                });
        assertThat(edited.orElseThrow().before().indexed()).isEqualTo(Ref.of("i5", 5));
        assertThat(edited.orElseThrow())
            .isEqualTo(EditResult.of(edited.get().before(), editDecision));
        assertThat(open().find(MYDB)).isEqualTo(edited.orElseThrow().after());
      }
      // Whoever had been told to hold back needn't any more.
      assertThat(open().find(MYDB).orElseThrow().meta().retracted()).isFalse();
      assertThat(
              open()
                  .change(
                      MYDB,
                      push(Concern.INDEX, open().get(MYDB, Concern.INDEX).orElseThrow(), index(6))))
          .isEqualTo(new Applied(index(6)));
    }

    @Test
    void nothingComesBackAfterAPurge_names29_names32() {
      NameService names = names(open());
      names.create(MYDB);
      names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));
      names.ledgers().publishIndex(MYDB, Ref.of("i5", 5));
      names.push(
          MYDB,
          Concern.CONFIG,
          Optional.of(ConcernValue.UNBORN),
          value(1, "{\"config_id\":\"x\"}"));
      names.retract(MYDB);
      assertThatThrownBy(() -> names(open()).create(MYDB))
          .isInstanceOf(AlreadyExistsException.class)
          .hasMessageContaining("retracted");
      names.purge(MYDB);
      names.purge(MYDB);
      assertThat(open().find(MYDB)).isEmpty();
      assertThat(names(open()).list(RecordFilter.all())).isEmpty();
      assertThat(open().change(MYDB, push(Concern.INDEX, index(5), index(6))))
          .isEqualTo(Missing.MISSING);
      if (leavesNothing()) {
        assertThat(keys()).isEmpty();
      }
      NameRecord again = names(open()).create(MYDB);
      assertThat(open().find(MYDB)).contains(again);
      assertThat(again.status().watermark()).isEqualTo(1);
      assertThat(open().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
      names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
      assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i1", 1));
      assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(1);
    }

    @Test
    void aSideDocumentThatAPurgeLeftDoesNotComeBack() {
      assertThat(open().create(aLedger())).isTrue();
      names(open()).ledgers().publishIndex(MYDB, Ref.of("i5", 5));
      Optional<byte[]> side =
          store().get("ns@v2/mydb/main.index.json").map(object -> object.bytes());
      names(open()).purge(MYDB);
      side.ifPresent(
          bytes -> store().put("ns@v2/mydb/main.index.json", Body.of(bytes), Condition.none()));
      names(open()).create(MYDB);
      assertThat(open().find(MYDB).orElseThrow().index()).isEqualTo(ConcernValue.UNBORN);
      assertThat(open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, index(1))))
          .isInstanceOf(Applied.class);
      assertThat(open().get(MYDB, Concern.INDEX)).contains(index(1));
    }

    private NameRecord aLedger() {
      return new NameService(
              new io.tidemark.names.MemoryNameBackend(),
              NameOptions.standard().withoutNotifications().withClock(CLOCK).withPayloadLimit(9))
          .create(MYDB);
    }

    @Test
    void aLedgerBornWithAnIndexIsOneWrite() {
      NameService names = names(open());
      names.push(MYDB, Concern.INDEX, Optional.empty(), index(3));
      assertThat(open().get(MYDB, Concern.INDEX)).contains(index(3));
      assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(1);
      assertThat(keys()).hasSize(1);
      names.ledgers().publishCommit(MYDB, Ref.of("c4", 4));
      assertThat(open().get(MYDB, Concern.INDEX)).contains(index(3));
      assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(1);
      names.ledgers().reset(MYDB, new Ledgers.Heads(Ref.of("c1", 1), Ref.of("i1", 1)));
      names.ledgers().publishIndex(MYDB, Ref.of("i2", 2));
      assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i2", 2));
    }

    @Test
    void listingsAreInTheOrderOfAddressesWhateverTheKeys() {
      NameService names = names(open());
      List<String> addresses =
          List.of(
              "a-b:main",
              "a/b/c:main",
              "a/b:c",
              "a/b:main",
              "a/main.json:x",
              "a:b/c",
              "a:main",
              "a:main.index",
              "a:main.json",
              "a:x.head",
              "b:main");
      addresses.forEach(text -> names.create(Address.parse(text)));
      names.ledgers().publishIndex(Address.parse("a:main"), Ref.of("i", 1));
      for (DocumentLayout other : DocumentLayout.values()) {
        assertThat(names(open(other)).list(RecordFilter.all()))
            .extracting(record -> record.address().toString())
            .containsExactlyElementsOf(addresses);
        for (String prefix : List.of("a", "a/", "a:", "a:main.i", "a:b", "a:x.h", "b:main", "z")) {
          assertThat(names(open(other)).list(RecordFilter.all().startingWith(prefix)))
              .extracting(record -> record.address().toString())
              .containsExactlyElementsOf(
                  addresses.stream().filter(text -> text.startsWith(prefix)).toList());
        }
      }
      assertThat(
              names.list(
                  RecordFilter.all().after(Address.parse("a/b:c")).startingWith("a").atMost(3)))
          .extracting(record -> record.address().toString())
          .containsExactly("a/b:main", "a/main.json:x", "a:b/c");
      assertThat(names(open()).list(RecordFilter.all()))
          .extracting(NameRecord::indexed)
          .contains(Ref.of("i", 1));
    }

    @Test
    void damageIsNamedAndOthersStayReadable_names5_14() {
      NameService names = names(open());
      names.create(MYDB);
      names.create(Address.parse("other"));
      String key = new RecordKey(MYDB, layout().main()).text();
      for (String damage :
          List.of(
              "{\"@id\":",
              "[]",
              "{}",
              "nonsense",
              "{\"n\":1e99999999999}",
              "{\"@type\":[\"f:LedgerSource\"],\"f:t\":\"x\"}")) {
        store().put(key, Body.of(damage), Condition.none());
        assertThatThrownBy(() -> open().find(MYDB))
            .isInstanceOf(CorruptRecordException.class)
            .hasMessageContaining(key + " of mydb:main ");
        assertThatThrownBy(() -> names(open()).list(RecordFilter.all()).toList())
            .isInstanceOf(CorruptRecordException.class)
            .hasMessageContaining(key + " of mydb:main ");
        assertThat(open().find(Address.parse("other"))).isPresent();
      }
      store().put(key, Body.of(""), Condition.none());
      assertThat(open().find(MYDB)).isEmpty();
      assertThat(names(open()).list(RecordFilter.all())).hasSize(1);
      assertThat(names(open()).create(MYDB)).isNotNull();
    }

    @Test
    void everyLayoutIsReadAndChangedByTheOthers() {
      names(open()).create(MYDB);
      int t = 1;
      for (DocumentLayout other : DocumentLayout.values()) {
        ObjectNameBackend backend = open(other);
        assertThat(backend.create(backend.find(MYDB).orElseThrow())).isFalse();
        for (Concern concern : Concern.values()) {
          t++;
          ConcernValue before = backend.get(MYDB, concern).orElseThrow();
          ConcernValue next = value(t, "{\"id\":\"x\",\"state\":\"y\"}");
          assertThat(backend.change(MYDB, push(concern, before, next))).isInstanceOf(Applied.class);
          assertThat(open().get(MYDB, concern)).contains(next);
        }
        names(backend).retract(MYDB);
        names(backend).restore(MYDB);
      }
    }

    @Test
    void threadsOfTwoProcessesCountTogether() {
      names(open()).create(MYDB);
      List<ObjectNameBackend> processes = List.of(open(), open());
      for (Concern concern : List.of(Concern.STATUS, Concern.INDEX)) {
        AtomicInteger applied = new AtomicInteger();
        List<CompletableFuture<Void>> threads =
            IntStream.range(0, 4)
                .mapToObj(
                    i ->
                        CompletableFuture.runAsync(
                            () -> {
                              for (int n = 0; n < 50; n++) {
                                increment(processes.get(i % 2), concern);
                                applied.incrementAndGet();
                              }
                            }))
                .toList();
        threads.forEach(CompletableFuture::join);
        long first = concern == Concern.STATUS ? 1 : 0;
        assertThat(open().get(MYDB, concern).orElseThrow().watermark()).isEqualTo(first + 200);
      }
    }

    private static void increment(ObjectNameBackend backend, Concern concern) {
      while (true) {
        ConcernValue before = backend.get(MYDB, concern).orElseThrow();
        ConcernValue next = value(before.watermark() + 1, "{\"state\":\"counting\"}");
        Outcome outcome = backend.change(MYDB, push(concern, before, next));
        if (outcome instanceof Applied) {
          return;
        }
        assertThat(outcome).isInstanceOf(Refused.class);
      }
    }
  }
}
