// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The backend by itself: each of its methods, without the rules of the service above. */
interface NameBackendContract {

  /** A record with something in every place. */
  static NameRecord full(Address address) {
    return new NameRecord(
        address,
        new NameRecord.Meta(
            RecordKind.LEDGER,
            Optional.empty(),
            List.of(),
            Optional.of(1_700_000_000L),
            1_700_000_000_123L,
            false,
            Optional.of("trunk"),
            3,
            17),
        head(C1, 5),
        index(I1, 4, 2),
        value(8, "{'state':'busy','progress':0.5}"),
        value(2, "{'a':[1,2,{'b':null}]}"));
  }

  private static NameRecord source(Address address) {
    return new NameRecord(
        address,
        new NameRecord.Meta(
            RecordKind.GRAPH_SOURCE,
            Optional.of(new SourceType("https://example.com/Custom")),
            List.of("b:main", "a:main"),
            Optional.empty(),
            1_700_000_000_123L,
            true,
            Optional.empty(),
            0,
            1),
        ConcernValue.UNBORN,
        value(4, "{'id':'i','index_t':4}"),
        state(2, "retracted"),
        value(3, "{'a':1}"));
  }

  NamesFixture fixture();

  private NameBackend backend() {
    return fixture().backend();
  }

  @Test
  default void aRecordIsCreatedWholeAndOnce() {
    assertThat(backend().create(full(MYDB))).isTrue();
    assertThat(backend().find(MYDB)).contains(full(MYDB));
    NameRecord other = full(MYDB).with(Concern.HEAD, head(C2, 9), full(MYDB).meta().updatedAtMs());
    assertThat(backend().create(other)).isFalse();
    assertThat(fixture().anotherBackend().find(MYDB)).contains(full(MYDB));
    for (Concern concern : Concern.values()) {
      assertThat(backend().get(MYDB, concern)).contains(full(MYDB).concern(concern));
    }
  }

  @Test
  default void aGraphSourceIsCreatedWhole() {
    assertThat(backend().create(source(SEARCH))).isTrue();
    assertThat(fixture().anotherBackend().find(SEARCH)).contains(source(SEARCH));
    assertThat(backend().get(SEARCH, Concern.HEAD)).isEmpty();
    assertThat(backend().get(SEARCH, Concern.INDEX)).contains(value(4, "{'id':'i','index_t':4}"));
    assertThat(backend().create(full(SEARCH))).isFalse();
  }

  @Test
  default void aRecordIsReplacedAsDecided() {
    backend().create(full(MYDB));
    NameRecord next = full(MYDB).with(Concern.INDEX, index(I1, 1, 0), 1_800_000_000_000L);
    assertThat(backend().edit(MYDB, seen -> EditDecision.replace(seen, next)))
        .contains(new EditResult(full(MYDB), Optional.of(next)));
    assertThat(backend().find(MYDB)).contains(next);
    assertThat(backend().get(MYDB, Concern.INDEX)).contains(index(I1, 1, 0));
    assertThat(fixture().anotherBackend().find(MYDB)).contains(next);
  }

  @Test
  default void everyPartOfARecordCanBeReplaced() {
    backend().create(full(MYDB));
    NameRecord.Meta was = full(MYDB).meta();
    NameRecord next =
        new NameRecord(
            MYDB,
            new NameRecord.Meta(
                was.kind(),
                was.sourceType(),
                was.dependencies(),
                was.createdAt(),
                was.updatedAtMs() + 1,
                true,
                Optional.empty(),
                0,
                was.indexRev() + 1),
            head(C2, 1),
            index("i2", 1, 0),
            state(9, "retracted"),
            value(3, "{'b':true}"));
    assertThat(backend().edit(MYDB, seen -> EditDecision.replace(seen, next)))
        .contains(new EditResult(full(MYDB), Optional.of(next)));
    assertThat(fixture().anotherBackend().find(MYDB)).contains(next);
    for (Concern concern : Concern.values()) {
      assertThat(backend().get(MYDB, concern)).contains(next.concern(concern));
    }
  }

  @Test
  default void aDecisionIsMadeAboutWhatAnotherHasWritten() {
    for (Concern concern : Concern.values()) {
      Address address = Address.parse("mydb:" + concern.text());
      backend().create(full(address));
      backend().find(address);
      ConcernValue moved = concern == Concern.HEAD ? head(C2, 99) : state(99, "moved");
      ConcernValue was = full(address).concern(concern);
      NameBackend other = fixture().anotherBackend();
      assertThat(other.change(address, new ConcernChange.Push(concern, was, moved)))
          .isEqualTo(new Applied(moved));
      Optional<EditResult> edited = backend().edit(address, seen -> EditDecision.keep());
      assertThat(edited.orElseThrow().before().concern(concern)).isEqualTo(moved);
      assertThat(edited.orElseThrow().after()).contains(edited.orElseThrow().before());
    }
  }

  @Test
  default void aDecisionThatThrowsChangesNothing() {
    backend().create(full(MYDB));
    IllegalStateException problem = new IllegalStateException("undecided");
    assertThatThrownBy(
            () ->
                backend()
                    .edit(
                        MYDB,
                        seen -> {
                          throw problem;
                        }))
        .isSameAs(problem);
    assertThat(backend().find(MYDB)).contains(full(MYDB));
    assertThat(backend().edit(MYDB, seen -> EditDecision.remove())).isPresent();
  }

  @Test
  default void aRecordIsRemovedAsDecided() {
    backend().create(full(MYDB));
    assertThat(backend().edit(MYDB, seen -> EditDecision.remove()))
        .contains(new EditResult(full(MYDB), Optional.empty()));
    assertThat(backend().find(MYDB)).isEmpty();
    assertThat(backend().edit(MYDB, seen -> EditDecision.remove())).isEmpty();
    assertThat(backend().edit(MYDB, seen -> EditDecision.replace(seen, full(MYDB)))).isEmpty();
    assertThat(backend().create(full(MYDB))).isTrue();
  }

  @Test
  default void whatIsNotThereIsMissing() {
    assertThat(backend().change(NOPE, new ConcernChange.Push(Concern.STATUS, READY, state(2, "x"))))
        .isEqualTo(Missing.MISSING);
    assertThat(
            backend()
                .change(
                    NOPE,
                    new ConcernChange.Advance(
                        Concern.INDEX, index(I1, 1, 0), ConcernChange.Bound.NEWER)))
        .isEqualTo(Missing.MISSING);
    assertThat(backend().find(NOPE)).isEmpty();
    backend().create(source(SEARCH));
    assertThat(
            backend()
                .change(
                    SEARCH,
                    new ConcernChange.Advance(
                        Concern.HEAD, head(C1, 1), ConcernChange.Bound.NEWER)))
        .isEqualTo(Missing.MISSING);
  }

  @Test
  default void aChangeOfARetractedRecordIsToldSo() {
    backend().create(source(SEARCH));
    for (Concern concern : List.of(Concern.INDEX, Concern.STATUS, Concern.CONFIG)) {
      ConcernValue now = source(SEARCH).concern(concern);
      assertThat(backend().change(SEARCH, new ConcernChange.Push(concern, now, state(99, "x"))))
          .as(concern.text())
          .isEqualTo(Retracted.RETRACTED);
    }
    assertThat(backend().find(SEARCH)).contains(source(SEARCH));
  }

  @Test
  default void anAdvanceIsBounded() {
    backend().create(full(MYDB));
    ConcernChange atSame =
        new ConcernChange.Advance(Concern.INDEX, index("x", 4, 3), ConcernChange.Bound.NEWER);
    ConcernChange orSame =
        new ConcernChange.Advance(
            Concern.INDEX, index("x", 4, 3), ConcernChange.Bound.NEWER_OR_EQUAL);
    ConcernChange older =
        new ConcernChange.Advance(
            Concern.INDEX, index("x", 3, 0), ConcernChange.Bound.NEWER_OR_EQUAL);
    assertThat(backend().change(MYDB, atSame)).isEqualTo(new Refused(index(I1, 4, 2)));
    assertThat(backend().change(MYDB, older)).isEqualTo(new Refused(index(I1, 4, 2)));
    assertThat(backend().change(MYDB, orSame)).isEqualTo(new Applied(index("x", 4, 3)));
    assertThat(backend().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(18);
  }

  @Test
  default void aChangeLeavesAllElse() {
    backend().create(full(MYDB));
    NameRecord before = backend().find(MYDB).orElseThrow();
    backend().change(MYDB, new ConcernChange.Push(Concern.HEAD, head(C1, 5), head(C2, 6)));
    NameRecord after = backend().find(MYDB).orElseThrow();
    assertThat(after).isEqualTo(before.with(Concern.HEAD, head(C2, 6), after.meta().updatedAtMs()));
    assertThat(after.meta().updatedAtMs()).isGreaterThan(before.meta().updatedAtMs());
  }

  @Test
  default void aListingOfTheBackendIsBoundedOnBothSides() {
    for (String text : List.of("a:main", "b:dev", "b:main", "b/c:main", "c:main")) {
      backend().create(full(Address.parse(text)));
    }
    assertThat(NamesFixture.texts(backend().list("", "")))
        .containsExactly("a:main", "b/c:main", "b:dev", "b:main", "c:main");
    assertThat(NamesFixture.texts(backend().list("b", "")))
        .containsExactly("b/c:main", "b:dev", "b:main");
    assertThat(NamesFixture.texts(backend().list("b", "b:dev"))).containsExactly("b:main");
    assertThat(NamesFixture.texts(backend().list("", "b/c:main")))
        .containsExactly("b:dev", "b:main", "c:main");
    assertThat(NamesFixture.texts(backend().list("b", "c"))).isEmpty();
    assertThat(NamesFixture.texts(backend().list("c", "b"))).containsExactly("c:main");
  }
}
