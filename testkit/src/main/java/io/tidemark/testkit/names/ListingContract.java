// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Listing: in order, by page, by what is looked for. */
interface ListingContract {

  NamesFixture fixture();

  private void create(String... addresses) {
    for (String address : addresses) {
      fixture().names().create(Address.parse(address));
    }
  }

  private void source(String address, SourceType type) {
    fixture().names().graphSources().publish(Address.parse(address), type, json("{}"), List.of());
  }

  @Test
  default void anEmptyPlaceListsNothing() {
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void recordsAreListedInTheOrderOfTheirAddresses() {
    create("b:main", "a:zeta", "a:main", "ab:main", "a/b:main", "a-b:main", "a.b:x", "A:main");
    assertThat(fixture().listed())
        .containsExactly(
            "A:main", "a-b:main", "a.b:x", "a/b:main", "a:main", "a:zeta", "ab:main", "b:main");
  }

  @Test
  default void aListingHoldsWholeRecords() {
    fixture().ledger(Address.parse("a"), C1, 3);
    fixture().names().ledgers().publishIndex(Address.parse("a"), Ref.of(I1, 2));
    source("b:main", SourceType.GEO);
    fixture().names().retract(Address.parse("b"));
    try (Stream<NameRecord> records = fixture().names().list(RecordFilter.all())) {
      assertThat(records)
          .containsExactly(
              fixture().record(Address.parse("a")), fixture().record(Address.parse("b")));
    }
  }

  @Test
  default void aListingIsNarrowedByPrefix_names5_3() {
    create("a:main", "tenant1/a:main", "tenant1/b:dev", "tenant1/b:main", "tenant10/a:main");
    assertThat(fixture().listed(RecordFilter.all().startingWith("tenant1/")))
        .containsExactly("tenant1/a:main", "tenant1/b:dev", "tenant1/b:main");
    assertThat(fixture().listed(RecordFilter.all().startingWith("tenant1")))
        .containsExactly("tenant1/a:main", "tenant1/b:dev", "tenant1/b:main", "tenant10/a:main");
    assertThat(fixture().listed(RecordFilter.all().startingWith("tenant1/b:")))
        .containsExactly("tenant1/b:dev", "tenant1/b:main");
    assertThat(fixture().listed(RecordFilter.all().startingWith("tenant1/b:d")))
        .containsExactly("tenant1/b:dev");
    assertThat(fixture().listed(RecordFilter.all().startingWith("a:main")))
        .containsExactly("a:main");
    assertThat(fixture().listed(RecordFilter.all().startingWith("zzz"))).isEmpty();
    assertThat(fixture().listed(RecordFilter.all().startingWith("../"))).isEmpty();
    assertThat(fixture().listed(RecordFilter.all().startingWith("/"))).isEmpty();
  }

  @Test
  default void aListingIsNarrowedByKind() {
    create("a:main", "c:main");
    source("b:main", SourceType.BM25);
    assertThat(fixture().listed(RecordFilter.all().ofKind(RecordKind.LEDGER)))
        .containsExactly("a:main", "c:main");
    assertThat(fixture().listed(RecordFilter.all().ofKind(RecordKind.GRAPH_SOURCE)))
        .containsExactly("b:main");
  }

  @Test
  default void aListingIsNarrowedByType() {
    create("a:main");
    source("b:main", SourceType.BM25);
    source("c:main", new SourceType("vg:bm25"));
    source("d:main", SourceType.ICEBERG);
    source("e:main", new SourceType("https://example.com/Custom"));
    assertThat(fixture().listed(RecordFilter.all().ofType(SourceType.BM25)))
        .containsExactly("b:main", "c:main");
    assertThat(fixture().listed(RecordFilter.all().ofType(new SourceType("f:IcebergMapping"))))
        .containsExactly("d:main");
    assertThat(
            fixture()
                .listed(RecordFilter.all().ofType(new SourceType("https://example.com/Custom"))))
        .containsExactly("e:main");
    assertThat(fixture().listed(RecordFilter.all().ofType(SourceType.JDBC))).isEmpty();
  }

  @Test
  default void aListingIsNarrowedByState() {
    create("a:main", "b:main", "c:main");
    fixture()
        .names()
        .push(Address.parse("b"), Concern.STATUS, Optional.of(READY), state(2, "indexing"));
    fixture().names().retract(Address.parse("c"));
    assertThat(fixture().listed(RecordFilter.all().inState("ready"))).containsExactly("a:main");
    assertThat(fixture().listed(RecordFilter.all().inState("indexing"))).containsExactly("b:main");
    assertThat(fixture().listed(RecordFilter.all().inState("retracted"))).containsExactly("c:main");
  }

  @Test
  default void filtersAreCombined() {
    create("a/x:main", "a/y:main", "b/x:main");
    source("a/s:main", SourceType.BM25);
    fixture().names().retract(Address.parse("a/y"));
    assertThat(
            fixture()
                .listed(
                    RecordFilter.all()
                        .startingWith("a/")
                        .ofKind(RecordKind.LEDGER)
                        .inState("ready")
                        .atMost(5)))
        .containsExactly("a/x:main");
  }

  @Test
  default void aPageBeginsAfterTheLastOfTheOneBefore() {
    create("a:main", "b:dev", "b:main", "c:main");
    RecordFilter pages = RecordFilter.all().atMost(2);
    assertThat(fixture().listed(pages)).containsExactly("a:main", "b:dev");
    assertThat(fixture().listed(pages.after(Address.parse("b:dev"))))
        .containsExactly("b:main", "c:main");
    assertThat(fixture().listed(pages.after(Address.parse("c:main")))).isEmpty();
    assertThat(fixture().listed(pages.after(Address.parse("b:a"))))
        .containsExactly("b:dev", "b:main");
    assertThat(fixture().listed(RecordFilter.all().atMost(0))).isEmpty();
  }

  @Test
  default void aPageBeginsWithinItsPrefix() {
    create("a:main", "b:dev", "b:main", "c:main");
    RecordFilter branches = RecordFilter.all().startingWith("b:");
    assertThat(fixture().listed(branches.after(Address.parse("a:main"))))
        .containsExactly("b:dev", "b:main");
    assertThat(fixture().listed(branches.after(Address.parse("b:dev")))).containsExactly("b:main");
    assertThat(fixture().listed(branches.after(Address.parse("c:main")))).isEmpty();
  }

  @Test
  default void aLimitCountsOnlyWhatMatches() {
    create("a:main", "c:main", "e:main");
    source("b:main", SourceType.BM25);
    source("d:main", SourceType.BM25);
    assertThat(fixture().listed(RecordFilter.all().ofKind(RecordKind.GRAPH_SOURCE).atMost(2)))
        .containsExactly("b:main", "d:main");
  }

  @Test
  default void manyRecordsAreListedWholeAndByPage() {
    int count = fixture().scale().records();
    List<String> expected =
        IntStream.range(0, count).mapToObj(i -> "r/" + i % 7 + "/" + i + ":main").toList();
    expected.forEach(address -> create(address));
    List<String> sorted = expected.stream().sorted().toList();
    assertThat(fixture().listed()).isEqualTo(sorted);

    List<String> paged = new ArrayList<>();
    RecordFilter page = RecordFilter.all().atMost(97);
    while (true) {
      List<String> next = fixture().listed(page);
      if (next.isEmpty()) {
        break;
      }
      paged.addAll(next);
      page = page.after(Address.parse(next.get(next.size() - 1)));
    }
    assertThat(paged).isEqualTo(sorted);
    assertThat(fixture().listed(RecordFilter.all().startingWith("r/3/")))
        .isEqualTo(sorted.stream().filter(a -> a.startsWith("r/3/")).toList());
  }

  @Test
  default void aListingIsLeftEarly() {
    create("a:main", "b:main", "c:main");
    try (Stream<NameRecord> records = fixture().names().list(RecordFilter.all())) {
      assertThat(records.findFirst().orElseThrow().address()).hasToString("a:main");
    }
    create("d:main");
    assertThat(fixture().listed()).hasSize(4);
  }
}
