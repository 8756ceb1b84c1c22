// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Branches;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.Edit;
import io.tidemark.names.Edited;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.Servers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

@ExtendWith(Servers.class)
class DynamoDbNameBackendTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address DEV = Address.parse("mydb:dev");
  private static final Address SEARCH = Address.parse("search");
  private static final AttributeValue NULL = AttributeValue.fromNul(true);

  private final TestTable table;
  private final NameBackend backend;
  private final NameService names;
  private final Wire wire;

  DynamoDbNameBackendTest(DynamoDbServer server) {
    table = TestTable.create(server);
    backend = table.backend();
    names = table.names();
    wire = table.wire();
  }

  @AfterEach
  void close() {
    table.close();
  }

  // Items.

  @Test
  void aLedgerIsFiveRowsWrittenInOneRequest() {
    names.create(MYDB);

    assertThat(wire.requests()).containsExactly("TransactWriteItems");
    Map<String, Map<String, AttributeValue>> rows = table.rows("mydb:main");
    assertThat(rows.keySet()).containsExactly("config", "head", "index", "meta", "status");
    assertThat(attributes(rows, "meta"))
        .containsOnlyKeys("kind", "name", "branch", "dependencies", "retracted", "created_at")
        .containsEntry("kind", string("ledger"))
        .containsEntry("name", string("mydb"))
        .containsEntry("branch", string("main"))
        .containsEntry("dependencies", NULL)
        .containsEntry("retracted", AttributeValue.fromBool(false));
    assertThat(attributes(rows, "head")).isEqualTo(Map.of("commit_t", number(0), "commit", NULL));
    assertThat(attributes(rows, "index")).isEqualTo(Map.of("index_t", number(0), "index", NULL));
    assertThat(attributes(rows, "status"))
        .isEqualTo(
            Map.of(
                "status_v",
                number(1),
                "status",
                AttributeValue.fromM(Map.of("state", string("ready")))));
    assertThat(attributes(rows, "config")).isEqualTo(Map.of("config_v", number(0), "config", NULL));
  }

  @Test
  void aGraphSourceIsFourRows() {
    names
        .graphSources()
        .publish(
            SEARCH,
            SourceType.BM25,
            Payload.parse("{\"b\":0.75,\"k1\":1.2}"),
            List.of("mydb:main"));

    Map<String, Map<String, AttributeValue>> rows = table.rows("search:main");
    assertThat(rows.keySet()).containsExactly("config", "index", "meta", "status");
    assertThat(attributes(rows, "meta"))
        .containsEntry("kind", string("graph_source"))
        .containsEntry("source_type", string("f:Bm25Index"))
        .containsEntry("dependencies", AttributeValue.fromL(List.of(string("mydb:main"))));
    assertThat(attributes(rows, "config"))
        .isEqualTo(
            Map.of(
                "config_v",
                number(1),
                "config",
                AttributeValue.fromM(
                    Map.of("k1", AttributeValue.fromN("1.2"), "b", AttributeValue.fromN("0.75")))));
  }

  @Test
  void aCommitIsAMapOfIdAndT() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));

    assertThat(attributes(table.rows("mydb:main"), "head"))
        .isEqualTo(
            Map.of(
                "commit_t",
                number(5),
                "commit",
                AttributeValue.fromM(Map.of("id", string("c5"), "t", number(5)))));
  }

  @Test
  void whatWasCreatedIsFoundByOneQuery() {
    NameRecord created = names.create(MYDB);
    wire.reset();

    assertThat(backend.find(MYDB)).contains(created);
    assertThat(wire.requests()).containsExactly("Query");
  }

  @Test
  void aConcernIsReadByOneGet() {
    names.create(MYDB);
    wire.reset();

    assertThat(backend.get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
    assertThat(wire.requests()).containsExactly("GetItem");
  }

  @Test
  void nothingIsFoundWhereNothingIs() {
    assertThat(backend.find(MYDB)).isEmpty();
    assertThat(backend.get(MYDB, Concern.STATUS)).isEmpty();
  }

  @Test
  void aGraphSourceHasNoHead() {
    names.graphSources().publish(SEARCH, SourceType.JDBC, Payload.parse("{}"), List.of());

    assertThat(backend.get(SEARCH, Concern.HEAD)).isEmpty();
    assertThat(backend.change(SEARCH, push(Concern.HEAD, ConcernValue.UNBORN, head("c", 1))))
        .isEqualTo(NameBackend.Missing.MISSING);
  }

  @Test
  void whatExistsIsntCreatedAgain() {
    NameRecord first = names.create(MYDB);

    assertThatThrownBy(() -> names.create(MYDB)).isInstanceOf(AlreadyExistsException.class);
    assertThat(backend.find(MYDB)).contains(first);
  }

  // Changes.

  @Test
  void aPushIsOneRequest() {
    names.create(MYDB);
    wire.reset();

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem");
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void aConflictIsOneRequestAndSaysWhatIsThere() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    wire.reset();

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c2", 2))))
        .isEqualTo(new Refused(head("c1", 1)));
    assertThat(backend.change(MYDB, push(Concern.HEAD, head("other", 1), head("c2", 2))))
        .isEqualTo(new Refused(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem");
  }

  @Test
  void unbornIsNotExpectedByWhoeverExpectsSomething() {
    names.create(MYDB);

    assertThat(backend.change(MYDB, push(Concern.HEAD, head("c41", 41), head("c42", 42))))
        .isEqualTo(new Refused(ConcernValue.UNBORN));
    ConcernValue emptyAtOne = new ConcernValue(1, Optional.empty());
    assertThat(backend.change(MYDB, push(Concern.HEAD, emptyAtOne, head("c42", 42))))
        .isEqualTo(new Refused(ConcernValue.UNBORN));
  }

  @Test
  void aPushThatIsNotForwardIsRefusedWhateverIsThere() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));

    assertThat(backend.change(MYDB, push(Concern.HEAD, head("c5", 5), head("c4", 4))))
        .isEqualTo(new Refused(head("c5", 5)));
    assertThat(backend.change(MYDB, push(Concern.HEAD, head("c5", 5), head("other", 5))))
        .isEqualTo(new Refused(head("c5", 5)));
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c5", 5));
  }

  @Test
  void anAdvanceIsOneRequestWhetherItMovesOrNot() {
    names.create(MYDB);
    wire.reset();

    assertThat(backend.change(MYDB, advance(head("c5", 5)))).isEqualTo(new Applied(head("c5", 5)));
    assertThat(backend.change(MYDB, advance(head("c3", 3)))).isEqualTo(new Refused(head("c5", 5)));
    assertThat(backend.change(MYDB, advance(head("x", 5)))).isEqualTo(new Refused(head("c5", 5)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
  }

  @Test
  void aChangeOfWhatIsntThereCreatesNothing() {
    assertThat(backend.change(MYDB, advance(head("c1", 1)))).isEqualTo(NameBackend.Missing.MISSING);
    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c", 1))))
        .isEqualTo(NameBackend.Missing.MISSING);
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void anItemThatGotLostIsBroughtBackByTheNextChange() {
    names.create(MYDB);
    table.delete("mydb:main", List.of("index"));

    assertThat(backend.get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
    assertThat(names.ledgers().publishIndex(MYDB, Ref.of("i1", 5)).updated()).isTrue();
    assertThat(backend.find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i1", 5));
    assertThat(table.rows("mydb:main")).hasSize(5);
  }

  @Test
  void anIndexAtTheSameTIsToldByItsRevision() {
    names.create(MYDB);
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 5));
    names.ledgers().publishIndexAllowEqual(MYDB, Ref.of("i2", 5));

    NameRecord record = backend.find(MYDB).orElseThrow();
    assertThat(record.indexed()).isEqualTo(Ref.of("i2", 5));
    assertThat(record.meta().indexRev()).isEqualTo(2);
  }

  @Test
  void aClearedConfigIsNotUnborn() {
    names.create(MYDB);
    ConcernValue first = ConcernValue.of(1, Payload.parse("{\"default_context_id\":\"x1\"}"));
    ConcernValue cleared = new ConcernValue(2, Optional.empty());

    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), first).updated())
        .isTrue();
    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(first), cleared).updated()).isTrue();
    assertThat(names.get(MYDB, Concern.CONFIG)).contains(cleared);
    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(cleared), at(3, "{}")).updated())
        .isTrue();
  }

  // Retraction.

  @ParameterizedTest
  @EnumSource(Concern.class)
  void aRetractedRecordTakesNoChangeOfAnyConcern(Concern concern) {
    names.create(MYDB);
    NameRecord retracted = names.retract(MYDB);
    wire.reset();

    ConcernValue next = at(9, "{\"id\":\"c9\",\"state\":\"ready\"}");
    assertThat(backend.change(MYDB, push(concern, retracted.concern(concern), next)))
        .isEqualTo(NameBackend.Retracted.RETRACTED);
    assertThat(wire.requests()).containsExactly("UpdateItem");
    assertThat(backend.find(MYDB)).contains(retracted);
  }

  @Test
  void retractingMarksEveryItemAndMovesTheStatus() {
    names.create(MYDB);
    names.retract(MYDB);

    assertThat(table.rows("mydb:main").values())
        .allSatisfy(
            item -> assertThat(item).containsEntry("retracted", AttributeValue.fromBool(true)));
    NameRecord record = backend.find(MYDB).orElseThrow();
    assertThat(record.status().watermark()).isEqualTo(2);
    assertThat(record.status().payload().flatMap(p -> p.string("state"))).contains("retracted");
  }

  @Test
  void aRestoredRecordTakesChangesAgain() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.retract(MYDB);
    assertThatThrownBy(() -> names.ledgers().publishCommit(MYDB, Ref.of("c2", 2)))
        .isInstanceOf(RetractedException.class);

    names.restore(MYDB);

    assertThat(names.ledgers().publishCommit(MYDB, Ref.of("c2", 2)).updated()).isTrue();
  }

  // Replacing and removing.

  @Test
  void anEditThatWasOvertakenIsDecidedAnew() {
    names.create(MYDB);
    AtomicInteger calls = new AtomicInteger();
    try (NameBackend other = table.anotherBackend()) {
      Optional<Edited> edited =
          backend.edit(
              MYDB,
              seen -> {
                if (calls.incrementAndGet() == 1) {
                  other.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1)));
                }
                return Edit.remove();
              });
      assertThat(calls).hasValue(2);
      assertThat(edited.orElseThrow().before().head()).isEqualTo(head("c1", 1));
      assertThat(backend.find(MYDB)).isEmpty();
    }
  }

  @Test
  void whatIsPurgedLeavesNothing() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), at(1, "{\"a\":1}"));
    addCommitRows(60);

    names.purge(MYDB);
    names.purge(MYDB);

    assertThat(table.rows("mydb:main")).isEmpty();
    NameRecord again = names.create(MYDB);
    assertThat(again.head()).isEqualTo(ConcernValue.UNBORN);
    assertThat(again.config()).isEqualTo(ConcernValue.UNBORN);
  }

  /** Fluree deletes meta first and the rest one by one, and may end in between. */
  @Test
  void whatAnotherProgramLeftOfAPurgedRecordIsNotInTheWay_names32() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    names.retract(MYDB);
    table.delete("mydb:main", List.of("meta", "config"));
    assertThat(names.find(MYDB)).isEmpty();

    NameRecord made = names.create(MYDB);
    assertThat(names.find(MYDB)).contains(made);
    assertThat(made.commit()).isEqualTo(Ref.UNBORN);
    assertThat(made.meta().indexRev()).isZero();
    assertThat(names.ledgers().publishCommit(MYDB, Ref.of("c1", 1)).updated()).isTrue();
    assertThatThrownBy(() -> names.create(MYDB)).isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  void rowsOfCommitsAreNotRead() {
    names.create(MYDB);
    addCommitRows(10_000);
    wire.reset();

    assertThat(backend.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.UNBORN);
    assertThat(wire.requests()).containsExactly("Query");
  }

  // Branches.

  @Test
  void branchesAreCountedThoughTheListingLagsBehind_names33() {
    wire.hideFromIndex("mydb:main", "mydb:dev");
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));

    names.branches().create(MYDB, "dev", Optional.empty());

    assertThat(names.find(MYDB).orElseThrow().meta().branches()).isEqualTo(1);
    assertThatThrownBy(() -> names.purge(MYDB)).isInstanceOf(RefusedException.class);
    names.branches().drop(DEV);
    assertThat(names.find(MYDB).orElseThrow().meta().branches()).isZero();
    names.purge(MYDB);
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void aDropIsDeferredThoughTheListingLagsBehind_names38() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.branches().create(MYDB, "dev", Optional.empty());
    wire.hideFromIndex("mydb:feature");
    names.branches().create(DEV, "feature", Optional.empty());

    assertThat(names.branches().drop(DEV).dropped()).isEqualTo(Branches.Dropped.DEFERRED);
    assertThat(names.branches().drop(Address.parse("mydb:feature")).cascaded())
        .containsExactly(DEV);
    assertThat(names.find(MYDB).orElseThrow().meta().branches()).isZero();
  }

  @Test
  void aSourceIsNotRemovedWhenABranchWasMadeAfterTheLookForBranches() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    NameRecord branch = names.branches().create(MYDB, "dev", Optional.empty());
    names.branches().drop(DEV);
    assertThat(table.rows("mydb:main").get("meta")).doesNotContainKey("children");
    AtomicInteger looks = new AtomicInteger();

    try (DynamoDbNameBackend other = table.anotherBackend()) {
      assertThatThrownBy(
              () ->
                  backend.edit(
                      MYDB,
                      seen -> {
                        if (looks.incrementAndGet() > 1) {
                          throw new RefusedException("it has a branch");
                        }
                        other.create(branch);
                        return Edit.remove();
                      }))
          .isInstanceOf(RefusedException.class);
    }

    assertThat(looks).hasValue(2);
    assertThat(table.rows("mydb:main")).hasSize(5);
  }

  /** Another program doesn't know what was written down. */
  @Test
  void aBranchThatAnotherProgramRemovedIsNoBranch() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.branches().create(MYDB, "dev", Optional.empty());
    table.delete("mydb:dev", List.of("meta", "head", "index", "status", "config"));

    names.purge(MYDB);

    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void aBranchWhoseSourceIsGoneIsCreatedAllTheSameAndBringsNothingBack() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    NameRecord branch = names.branches().create(MYDB, "dev", Optional.empty());
    table.delete("mydb:dev", List.of("meta", "head", "index", "status", "config"));
    names.purge(MYDB);

    assertThat(backend.create(branch)).isTrue();
    assertThat(backend.create(branch)).isFalse();
    assertThat(backend.edit(branch.address(), seen -> Edit.remove())).isPresent();
    assertThat(table.rows("mydb:main")).isEmpty();
    assertThat(table.rows("mydb:dev")).isEmpty();
  }

  // Lost answers.

  @Test
  void aPushWhoseAnswerIsLostIsFoundInTheItem() {
    names.create(MYDB);
    wire.reset();
    wire.loseAnswers(1);

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem");
  }

  @Test
  void aPushThatIsLostItselfIsSentAgain() {
    names.create(MYDB);
    wire.loseRequests(2);

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void aPushWhoseTraceIsGoneEndsUnknown() {
    names.create(MYDB);
    wire.loseAnswers(1);
    wire.afterLoss(() -> backend.change(MYDB, push(Concern.HEAD, head("c1", 1), head("c2", 2))));

    assertThatThrownBy(
            () -> backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c2", 2));
  }

  @Test
  void aPushThatWasAppliedBeforeARetractionIsStillFound() {
    names.create(MYDB);
    wire.loseAnswers(1);
    wire.afterLoss(() -> names.retract(MYDB));

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
  }

  @Test
  void anIndexIsNeverPublishedTwiceAtTheSameT() {
    names.create(MYDB);
    ConcernValue first = at(5, "{\"default\":{\"id\":\"a\"}}");
    ConcernValue second = at(5, "{\"default\":{\"id\":\"b\"}}");
    backend.change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, first));
    wire.loseAnswers(1);
    wire.afterLoss(() -> backend.change(MYDB, push(Concern.INDEX, second, first)));

    assertThatThrownBy(() -> backend.change(MYDB, push(Concern.INDEX, first, second)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(backend.get(MYDB, Concern.INDEX)).contains(first);

    wire.afterLoss(() -> {});
    wire.loseAnswers(1);
    assertThat(backend.change(MYDB, push(Concern.INDEX, first, second)))
        .isEqualTo(new Applied(second));
  }

  @Test
  void aLostAnswerOfCreateReplaceAndRemoveIsResolved() {
    wire.loseAnswers(1);
    names.create(MYDB);
    wire.loseAnswers(1);
    names.retract(MYDB);
    wire.loseAnswers(1);
    assertThat(backend.edit(MYDB, seen -> Edit.remove())).isPresent();
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  // Payloads.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"n\":9007199254740993,\"m\":-9223372036854775808}",
        "{\"n\":1.00,\"m\":1.0,\"z\":0.0,\"e\":1e2}",
        "{\"n\":123456789012345678901234567890123456789012345}",
        "{\"n\":1e400,\"m\":-1E-400}",
        "{\"n\":0.000000000000000000000000000000000001,\"m\":1.5}",
        "{\"n\":-0,\"m\":-0.0}",
        "{\"s\":\"\",\"t\":\"\\u00e9\\ud83d\\ude00\",\"b\":true,\"x\":null,\"l\":[1,[],{}]}",
        "{\"\":1,\"a\":{\"\":2}}",
        "{\"status\":1,\"name\":{\"select\":[1]}}"
      })
  void aPayloadComesBackAsItWentInAndCanBeExpected(String json) {
    names.create(MYDB);
    String status = json.replaceFirst("\\{", "{\"state\":\"x\"" + (json.equals("{}") ? "" : ","));
    ConcernValue ready = backend.get(MYDB, Concern.STATUS).orElseThrow();
    ConcernValue next = at(2, status);

    backend.change(MYDB, push(Concern.STATUS, ready, next));

    ConcernValue found = backend.get(MYDB, Concern.STATUS).orElseThrow();
    assertThat(found).isEqualTo(next);
    wire.reset();
    assertThat(backend.change(MYDB, push(Concern.STATUS, found, at(3, "{\"state\":\"y\"}"))))
        .isInstanceOf(Applied.class);
    assertThat(wire.requests()).containsExactly("UpdateItem");
  }

  @Test
  void aDeeplyNestedPayloadComesBack() {
    String json = "{\"state\":\"x\",\"d\":" + "[".repeat(100) + "1" + "]".repeat(100) + "}";
    names.create(MYDB);
    ConcernValue ready = backend.get(MYDB, Concern.STATUS).orElseThrow();

    backend.change(MYDB, push(Concern.STATUS, ready, at(2, json)));

    assertThat(backend.get(MYDB, Concern.STATUS)).contains(at(2, json));
  }

  @Test
  void whatIsExpectedMayBeSpelledInAnotherWay() {
    names.create(MYDB);
    backend.change(MYDB, push(Concern.CONFIG, ConcernValue.UNBORN, at(1, "{\"b\":1.00,\"a\":2}")));

    assertThat(
            backend.change(MYDB, push(Concern.CONFIG, at(1, "{\"a\":2, \"b\":1.00}"), at(2, "{}"))))
        .isEqualTo(new Applied(at(2, "{}")));
  }

  @Test
  void aConfigKeepsItsText() {
    String text = "{\"k1\": 1.20, \"b\":0.75}";
    names.graphSources().publish(SEARCH, SourceType.BM25, Payload.parse(text), List.of());

    assertThat(backend.find(SEARCH).orElseThrow().config().payload().map(Payload::toJson))
        .contains(text);
  }

  @Test
  void aWatermarkOf64BitsSurvives() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c", 9007199254740993L));
    names.ledgers().publishCommit(MYDB, Ref.of("d", Long.MAX_VALUE));

    assertThat(backend.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("d", Long.MAX_VALUE));
  }

  @Test
  void aPayloadThatIsTooLargeForAnItemIsRefused() {
    names.create(MYDB);
    String json = "{\"state\":\"x\",\"filler\":\"" + "x".repeat(500_000) + "\"}";
    ConcernValue ready = backend.get(MYDB, Concern.STATUS).orElseThrow();

    assertThatThrownBy(() -> backend.change(MYDB, push(Concern.STATUS, ready, at(2, json))))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("400 KB");
    assertThat(backend.get(MYDB, Concern.STATUS)).contains(ready);
  }

  // Races.

  @Test
  void ofEightThreadsThatCountNoneLosesACount() throws Exception {
    names.create(MYDB);
    int each = 15;
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> workers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        workers.add(() -> count(each));
      }
      for (Future<Integer> worker : pool.invokeAll(workers)) {
        worker.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(backend.get(MYDB, Concern.STATUS).orElseThrow().watermark()).isEqualTo(1 + 8 * each);
  }

  private int count(int times) {
    int conflicts = 0;
    ConcernValue known = backend.get(MYDB, Concern.STATUS).orElseThrow();
    for (int done = 0; done < times; ) {
      ConcernValue next = at(known.watermark() + 1, "{\"state\":\"ready\"}");
      NameBackend.Outcome outcome = backend.change(MYDB, push(Concern.STATUS, known, next));
      if (outcome instanceof Refused refused) {
        known = refused.actual();
        conflicts++;
      } else {
        known = next;
        done++;
      }
    }
    return conflicts;
  }

  @Test
  void ofEightCreatorsOneWins() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> creators = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        creators.add(() -> created());
      }
      int wins = 0;
      for (Future<Boolean> creator : pool.invokeAll(creators)) {
        wins += creator.get() ? 1 : 0;
      }
      assertThat(wins).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }
  }

  private boolean created() {
    try {
      names.create(MYDB);
      return true;
    } catch (AlreadyExistsException e) {
      return false;
    }
  }

  // Listing.

  @Test
  void recordsAreListedInTheOrderOfTheirAddresses() {
    for (int i = 0; i < 45; i++) {
      if (i % 3 == 0) {
        names.graphSources().publish(numbered(i), SourceType.BM25, Payload.parse("{}"), List.of());
      } else {
        names.create(numbered(i));
      }
    }
    wire.reset();

    List<String> all = addresses("", "");

    assertThat(all)
        .isEqualTo(IntStream.range(0, 45).mapToObj(i -> numbered(i).toString()).toList());
    assertThat(wire.requests())
        .containsExactly("Query", "Query", "BatchGetItem", "BatchGetItem", "BatchGetItem");
    assertThat(addresses("db-1", "")).isEqualTo(all.subList(10, 20));
    assertThat(addresses("db-1", "db-14:main")).isEqualTo(all.subList(15, 20));
    assertThat(addresses("", "db-42:main")).isEqualTo(all.subList(43, 45));
    assertThat(addresses("", "db-42:mai")).isEqualTo(all.subList(42, 45));
    assertThat(addresses("db-1", "a")).isEqualTo(all.subList(10, 20));
    assertThat(addresses("db-1", "db-2")).isEmpty();
    assertThat(addresses("db-1", "db-19:main")).isEmpty();
    assertThat(addresses("nope", "")).isEmpty();
  }

  @Test
  void aListingReadsNoMoreThanIsAskedFor() {
    IntStream.range(0, 45).forEach(i -> names.create(numbered(i)));
    wire.reset();

    try (var records = backend.list("", "")) {
      assertThat(records.limit(5)).hasSize(5);
    }
    assertThat(wire.requests()).containsExactly("Query", "Query", "BatchGetItem");
  }

  @Test
  void aDamagedItemFailsItsRecordAndTheListingButNoOther() {
    names.create(MYDB);
    names.create(Address.parse("other"));
    table.put("mydb:main", "head", Map.of("commit_t", string("five")));

    assertThatThrownBy(() -> backend.find(MYDB))
        .isInstanceOf(CorruptRecordException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("commit_t");
    assertThatThrownBy(() -> addresses("", "")).isInstanceOf(CorruptRecordException.class);
    assertThat(backend.find(Address.parse("other"))).isPresent();
  }

  private List<String> addresses(String prefix, String startAfter) {
    try (var records = backend.list(prefix, startAfter)) {
      return records.map(record -> record.address().toString()).toList();
    }
  }

  private static Address numbered(int i) {
    return Address.parse("db-%02d".formatted(i));
  }

  // Tools.

  private void addCommitRows(int count) {
    List<WriteRequest> puts = new ArrayList<>();
    for (int t = 1; t <= count; t++) {
      Map<String, AttributeValue> row =
          new HashMap<>(Items.key("mydb:main", "commit#%020d".formatted(t)));
      row.put("commit_cid", string("c" + t));
      puts.add(WriteRequest.builder().putRequest(p -> p.item(row)).build());
      if (puts.size() == 25 || t == count) {
        List<WriteRequest> batch = List.copyOf(puts);
        table.client().batchWriteItem(w -> w.requestItems(Map.of(table.name(), batch)));
        puts.clear();
      }
    }
  }

  private static Change push(Concern concern, ConcernValue expected, ConcernValue next) {
    return new Change.Push(concern, expected, next);
  }

  private static Change advance(ConcernValue next) {
    return new Change.Advance(Concern.HEAD, next, Change.Bound.NEWER);
  }

  private static ConcernValue head(String id, long t) {
    return at(t, "{\"id\":\"" + id + "\",\"t\":" + t + "}");
  }

  private static ConcernValue at(long watermark, String json) {
    return ConcernValue.of(watermark, Payload.parse(json));
  }

  /** An item without what all items have; that it has that is checked here. */
  private static Map<String, AttributeValue> attributes(
      Map<String, Map<String, AttributeValue>> rows, String sk) {
    Map<String, AttributeValue> item = new HashMap<>(rows.getOrDefault(sk, Map.of()));
    assertThat(item).containsKeys("pk", "sk", "updated_at_ms", "write_id");
    assertThat(item).containsEntry("schema", number(2));
    item.keySet().removeAll(List.of("pk", "sk", "schema", "updated_at_ms", "write_id"));
    return item;
  }

  private static AttributeValue string(String text) {
    return AttributeValue.fromS(text);
  }

  private static AttributeValue number(long n) {
    return Items.number(n);
  }
}
