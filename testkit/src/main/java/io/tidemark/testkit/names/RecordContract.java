// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Creating records and looking them up; absent, unborn and born told apart. */
interface RecordContract {

  NamesFixture fixture();

  @Test
  default void nothingIsFoundAtAnUnknownAddress_names1() {
    NameService names = fixture().names();
    assertThat(names.find(NOPE)).isEmpty();
    assertThat(names.ledgers().find(NOPE)).isEmpty();
    assertThat(names.ledgers().heads(NOPE)).isEmpty();
    assertThat(names.graphSources().find(NOPE)).isEmpty();
    assertThat(names.branches().list("nope")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Concern.class)
  default void noConcernIsFoundAtAnUnknownAddress_names1(Concern concern) {
    assertThat(fixture().get(NOPE, concern)).isEmpty();
  }

  @Test
  default void aNewLedgerIsUnbornAndReady_names2() {
    fixture().names().create(Address.parse("mydb"));
    NameRecord record = fixture().record(MYDB);
    assertThat(record.address().name()).isEqualTo("mydb");
    assertThat(record.address().branch()).isEqualTo("main");
    assertThat(record.commit()).isEqualTo(new Ref(Optional.empty(), 0));
    assertThat(record.indexed()).isEqualTo(new Ref(Optional.empty(), 0));
    assertThat(record.meta().retracted()).isFalse();
    assertThat(record.status()).isEqualTo(READY);
    assertThat(record.config()).isEqualTo(ConcernValue.UNBORN);
    assertThat(record.hasNovelty()).isFalse();
  }

  @Test
  default void aNewLedgerSaysWhatItIsAndSinceWhen() {
    NameRecord created = fixture().names().create(MYDB);
    NameRecord.Meta meta = fixture().record(MYDB).meta();
    assertThat(fixture().record(MYDB)).isEqualTo(created);
    assertThat(meta.kind()).isEqualTo(RecordKind.LEDGER);
    assertThat(meta.createdAt()).contains(NamesFixture.NOW.getEpochSecond());
    assertThat(meta.updatedAtMs()).isEqualTo(NamesFixture.NOW.toEpochMilli());
    assertThat(meta.sourceType()).isEmpty();
    assertThat(meta.dependencies()).isEmpty();
    assertThat(meta.sourceBranch()).isEmpty();
    assertThat(meta.branches()).isZero();
    assertThat(meta.indexRev()).isZero();
  }

  @Test
  default void whenALedgerWasCreatedDoesNotChange() {
    fixture().names().create(MYDB);
    fixture().clock().jump(Duration.ofHours(1));
    fixture().names().ledgers().publishCommit(MYDB, Ref.of(C1, 1));
    fixture().names().retract(MYDB);
    assertThat(fixture().record(MYDB).meta().createdAt())
        .contains(NamesFixture.NOW.getEpochSecond());
    assertThat(fixture().record(MYDB).meta().updatedAtMs())
        .isEqualTo(NamesFixture.NOW.plus(Duration.ofHours(1)).toEpochMilli());
  }

  @Test
  default void aLedgerIsCreatedOnce_names3() {
    fixture().ledger(MYDB, C1, 1);
    NameRecord before = fixture().record(MYDB);
    assertThatThrownBy(() -> fixture().names().create(MYDB))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessage("mydb:main exists already, as a ledger; choose another address");
    assertThat(fixture().record(MYDB)).isEqualTo(before);
  }

  @Test
  default void aRecordKeepsItsIdAndOneThatTakesItsPlaceHasAnother() {
    NameService names = fixture().names();
    fixture().ledger(MYDB, C1, 1);
    String id = fixture().record(MYDB).meta().recordId().orElseThrow();
    names.ledgers().publishIndex(MYDB, Ref.of(I1, 1));
    names.push(MYDB, Concern.STATUS, Optional.of(READY), state(2, "indexing"));
    names.retract(MYDB);
    assertThat(fixture().record(MYDB).meta().recordId()).contains(id);
    names.restore(MYDB);
    names.ledgers().resetCommit(MYDB, Ref.of(C2, 2));
    assertThat(fixture().record(MYDB).meta().recordId()).contains(id);
    try (Stream<NameRecord> records = fixture().another().list(RecordFilter.all())) {
      assertThat(records.map(record -> record.meta().recordId())).containsExactly(Optional.of(id));
    }
    names.purge(MYDB);
    fixture().ledger(MYDB, C1, 1);
    assertThat(fixture().record(MYDB).meta().recordId()).isPresent().isNotEqualTo(Optional.of(id));
  }

  @Test
  default void absentUnbornAndBornAreThreeAnswers_decision3() {
    assertThat(fixture().get(MYDB, Concern.HEAD)).isEmpty();
    fixture().names().create(MYDB);
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
    assertThat(ConcernValue.UNBORN.isUnborn()).isTrue();
    fixture().names().ledgers().publishCommit(MYDB, Ref.of(C1, 1));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
    assertThat(head(C1, 1).isUnborn()).isFalse();
  }

  @Test
  default void theWholeRecordAndItsConcernsSayTheSame() {
    NameService names = fixture().names();
    fixture().ledger(MYDB, C2, 7);
    names.ledgers().publishIndex(MYDB, Ref.of(I1, 5));
    names.push(MYDB, Concern.STATUS, Optional.of(READY), state(2, "indexing"));
    names.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), value(1, "{'a':1}"));

    NameRecord record = fixture().record(MYDB);
    assertThat(record.head()).isEqualTo(head(C2, 7));
    assertThat(record.index()).isEqualTo(index(I1, 5, 0));
    assertThat(record.status()).isEqualTo(state(2, "indexing"));
    assertThat(record.config()).isEqualTo(value(1, "{'a':1}"));
    for (Concern concern : Concern.values()) {
      assertThat(names.get(MYDB, concern)).contains(record.concern(concern));
    }
    assertThat(names.ledgers().heads(MYDB)).contains(new Heads(Ref.of(C2, 7), Ref.of(I1, 5)));
    assertThat(names.ledgers().find(MYDB)).contains(record);
  }

  @Test
  default void anotherInstanceSeesEveryChangeAtOnce() {
    NameService other = fixture().another();
    fixture().ledger(MYDB, C1, 1);
    assertThat(other.get(MYDB, Concern.HEAD)).contains(head(C1, 1));
    other.ledgers().publishCommit(MYDB, Ref.of(C2, 2));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C2, 2));
    other.ledgers().publishIndex(MYDB, Ref.of(I1, 2));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, 2, 0));
    assertThat(fixture().record(MYDB)).isEqualTo(other.find(MYDB).orElseThrow());
    other.purge(MYDB);
    assertThat(fixture().names().find(MYDB)).isEmpty();
    assertThat(fixture().get(MYDB, Concern.INDEX)).isEmpty();
  }

  @Test
  default void recordsOutliveTheInstanceThatWroteThem() {
    NameService other = fixture().another();
    other.create(MYDB);
    other.ledgers().publishCommit(MYDB, Ref.of(C1, 1));
    NameRecord written = other.find(MYDB).orElseThrow();
    other.close();
    assertThat(fixture().record(MYDB)).isEqualTo(written);
  }

  @Test
  default void theLocationIsSaid() {
    assertThat(fixture().names().location()).isNotBlank();
    assertThat(fixture().names().location()).isEqualTo(fixture().another().location());
  }
}
