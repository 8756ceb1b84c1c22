// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.internal.branch.Diff;
import io.tidemark.ledger.internal.branch.Difference;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.catalog.InvalidTokenException;
import io.tidemark.ledger.internal.catalog.RefusedDropException;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.catalog.SchemaService.DropPreview;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.verify.VerificationDepth;
import io.tidemark.ledger.internal.verify.VerificationListener;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Case I9 and F4: how types end, and stay ended. */
interface DropContract {

  LedgerFixture fixture();

  private static DropRequest request(TypeId type, Dependents dependents, History history) {
    return new DropRequest(type, Set.of(), dependents, history);
  }

  private static void purge(Ledger ledger, TypeId type) {
    ledger
        .schemas()
        .drop(request(type, Dependents.CASCADE, History.PURGE), Approval.Force.FORCE, Map.of());
  }

  private Ledger threeTypes() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(List.of(Customer.of("c1", 1), Product.of("p1")));
      session.ensure(Subscription.of("c1", "p1", 5)).commit();
      session.ensure(Customer.of("c1", 2)).commit();
    }
    return ledger;
  }

  @Test
  default void i9_aTypeThatRelationsNeedIsNotDroppedAlone() {
    Ledger ledger = threeTypes();
    String head = fixture().text("meta/head.json");

    assertThatThrownBy(
            () ->
                ledger
                    .schemas()
                    .planDrop(request(Models.CUSTOMER, Dependents.REFUSE, History.PURGE)))
        .isInstanceOf(RefusedDropException.class)
        .hasMessageContaining("entity:Customer")
        .hasMessageContaining("relation:Subscription")
        .hasMessageContaining("cascade");
    assertThatThrownBy(
            () ->
                ledger
                    .schemas()
                    .drop(
                        request(Models.SUBSCRIPTION, Dependents.REFUSE, History.KEEP),
                        Approval.Force.FORCE,
                        Map.of()))
        .isInstanceOf(RefusedDropException.class)
        .hasMessageContaining("relation:Subscription=1")
        .hasMessageContaining("purged");
    assertThatThrownBy(() -> purge(ledger, TypeId.entity("Nobody")))
        .isInstanceOf(RefusedDropException.class)
        .hasMessageContaining("entity:Nobody");
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);
  }

  @Test
  default void i9_aDropIsACommitWithoutFiles() {
    Ledger ledger = threeTypes();
    DropRequest request = request(Models.CUSTOMER, Dependents.CASCADE, History.PURGE);
    DropPreview preview = ledger.schemas().planDrop(request);
    assertThat(preview.rows()).isEqualTo(Map.of(Models.CUSTOMER, 1L, Models.SUBSCRIPTION, 1L));
    assertThatThrownBy(() -> ledger.schemas().drop(request, new Approval.ByToken("x"), Map.of()))
        .isInstanceOf(InvalidTokenException.class);

    ledger
        .schemas()
        .drop(request, new Approval.ByToken(preview.token().text()), Map.of("why", "gdpr"));
    ledger.flush();

    assertThat(fixture().manifest().path("files")).isEmpty();
    assertThat(fixture().manifest().path("commit_id").asLong()).isEqualTo(3);
    assertThat(fixture().manifest().path("metadata"))
        .isEqualTo(
            LedgerFixture.parse(
                "{\"operation\":\"schema_drop\",\"target_kind\":\"entity\","
                    + "\"target_type\":\"Customer\",\"why\":\"gdpr\",\"affected_types\":"
                    + "\"[{\\\"type_kind\\\":\\\"entity\\\",\\\"type_name\\\":\\\"Customer\\\"},"
                    + "{\\\"type_kind\\\":\\\"relation\\\","
                    + "\\\"type_name\\\":\\\"Subscription\\\"}]\"}"));
    assertThat(ledger.schemas().current().keySet()).containsExactly(Models.PRODUCT);
    assertThat(ledger.schemas().current(Models.CUSTOMER)).isEmpty();
    assertThat(fixture().json("meta/schema/types.json").path("entities"))
        .extracting(JsonNode::asText)
        .containsExactly("Product");
    assertThat(fixture().json("meta/schema/registry.json").path("entity").has("Customer"))
        .isFalse();
    assertThat(fixture().json("meta/schema/versions/entity/Customer.json").path("versions"))
        .isEmpty();
    JsonNode dropped = fixture().json("meta/schema/dropped.json").path("entity").path("Customer");
    assertThat(dropped.path("commit_id").asLong()).isEqualTo(3);
    assertThat(dropped.path("purged").asBoolean()).isTrue();
    JsonNode index = fixture().json("meta/indices/entities/Customer.json");
    assertThat(index.path("entries")).isEmpty();
    assertThat(index.path("max_indexed_commit").asLong()).isEqualTo(3);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  @Test
  default void aDroppedTypeIsDriftForWhoKnewIt() {
    Ledger ledger = threeTypes();
    Ledger other = fixture().open();
    try (Session session = other.session(Models.all())) {
      session.validate();
      purge(ledger, Models.CUSTOMER);

      session.ensure(Customer.of("c1", 2));
      assertThatThrownBy(session::commit)
          .isInstanceOfSatisfying(
              SchemaOutdatedException.class,
              e -> assertThat(e.diffs().get(0).storedVersion()).isZero())
          .hasMessageContaining("entity:Customer isn't stored");
      assertThatThrownBy(session::commit).isInstanceOf(SchemaOutdatedException.class);
      assertThat(session.queued()).isEqualTo(1);
      session.validate(); // it is meant
      assertThat(session.commit().orElseThrow().id()).isEqualTo(4);
    }
  }

  /** Drops, declares again and writes one row; then only that row is there. */
  private Ledger droppedAndDeclaredAgain() {
    Ledger ledger = threeTypes();
    purge(ledger, Models.CUSTOMER);
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("new", 1)).commit();
    }
    ledger.flush();
    return ledger;
  }

  /** That old is gone and new is there, as a process that knows nothing yet sees it. */
  private void oldIsGone() {
    Ledger ledger = fixture().open();
    DropPreview preview =
        ledger.schemas().planDrop(request(Models.CUSTOMER, Dependents.CASCADE, History.PURGE));
    assertThat(preview.rows().get(Models.CUSTOMER)).isEqualTo(1);
    ledger.close();
  }

  @Test
  default void f4_versionsOfATypeThatComesBackGoOn() {
    Ledger ledger = droppedAndDeclaredAgain();

    assertThat(fixture().manifest().path("files").path(0).path("schema_version_id").asLong())
        .isEqualTo(2);
    assertThat(fixture().manifest().path("type_floors").path("entity").path("Customer").asLong())
        .isEqualTo(3);
    assertThat(ledger.schemas().history(Models.CUSTOMER))
        .singleElement()
        .satisfies(version -> assertThat(version.id()).isEqualTo(2));
    assertThat(fixture().json("meta/schema/dropped.json").path("entity")).isEmpty();
    oldIsGone();
  }

  @Test
  default void f4_noLossOrRepairOfAnIndexBringsPurgedRowsBack() {
    Ledger ledger = droppedAndDeclaredAgain();
    String index = "meta/indices/entities/Customer.json";
    fixture().delete(index);
    oldIsGone();
    ledger.indices().repair(Depth.EVERY_COMMIT);
    assertThat(fixture().json(index).path("entries")).hasSize(1);
    oldIsGone();
    fixture().write(index, "garbage");
    oldIsGone();
    try (Session session = ledger.session(Models.all())) {
      assertThat(session.ensure(Customer.of("c1", 2)).commit()).isPresent();
    }
    assertThat(LedgerFixture.told(ledger, 5)).singleElement().asString().startsWith("insert ");
  }

  @Test
  default void f4_anIndexOfBeforeTheDropBringsNothingBack() {
    Ledger ledger = threeTypes();
    ledger.flush();
    String before = fixture().text("meta/indices/entities/Customer.json");
    purge(ledger, Models.CUSTOMER);
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("new", 1)).commit();
    }
    ledger.flush();
    ledger.close();
    fixture().write("meta/indices/entities/Customer.json", before);

    oldIsGone();
    Ledger later = fixture().open();
    try (Session session = later.session(Models.all())) {
      session.ensure(Customer.of("newer", 1)).commit();
    }
    later.flush();
    assertThat(fixture().json("meta/indices/entities/Customer.json").path("entries")).hasSize(2);
  }

  @Test
  default void whatCommitsBeforeADropChangedIsStillTold() {
    Ledger ledger = droppedAndDeclaredAgain();

    assertThat(LedgerFixture.told(ledger, 1)).hasSize(3);
    assertThat(LedgerFixture.told(ledger, 2))
        .singleElement()
        .asString()
        .startsWith("update_version entity:Customer c1 ");
    assertThat(LedgerFixture.told(ledger, 3)).isEmpty();
    assertThat(LedgerFixture.told(ledger, 4))
        .singleElement()
        .asString()
        .startsWith("insert entity:Customer new ");
  }

  /** Collects garbage once the files of dropped types are old enough. */
  private static List<OrphanCollector.Orphan> collect(Ledger ledger) {
    Duration age = Duration.ofMillis(200);
    AwaitCondition.isTrue(
        "the drop is old enough",
        () -> ledger.orphans().find(age).stream().anyMatch(DropContract::isFile));
    OrphanCollector orphanCollector = ledger.orphans();
    List<OrphanCollector.Orphan> found = orphanCollector.find(age);
    found.forEach(orphanCollector::delete);
    return found;
  }

  private static boolean isFile(OrphanCollector.Orphan orphan) {
    return orphan.directory().endsWith(".parquet");
  }

  /** Files have to be older than a lease; a busy machine makes no commit with one so short. */
  private Ledger collector() {
    return fixture().openWithLease(Duration.ofMillis(200));
  }

  private List<String> files(String type) {
    return fixture().paths("commits/").stream()
        .filter(path -> path.endsWith(type + ".parquet"))
        .toList();
  }

  @Test
  default void theFilesOfADroppedTypeAreDeletedAndWhatIsGoneIsTold() {
    try (Ledger writer = threeTypes()) {
      purge(writer, Models.CUSTOMER);
      try (Session session = writer.session(Models.all())) {
        session.ensure(Customer.of("new", 1)).commit();
      }
      writer.flush();
    }
    Ledger ledger = collector();
    assertThat(files("Customer")).hasSize(3);
    assertThat(ledger.log().purged(1)).isEmpty();

    assertThat(collect(ledger)).filteredOn(DropContract::isFile).hasSize(3);

    assertThat(files("Customer")).singleElement().asString().startsWith("commits/4-");
    assertThat(files("Subscription")).isEmpty();
    assertThat(files("Product")).hasSize(1);
    assertThat(ledger.log().purged(1))
        .isEqualTo(Map.of(Models.CUSTOMER, 3L, Models.SUBSCRIPTION, 3L));
    assertThat(LedgerFixture.told(ledger, 1))
        .singleElement()
        .asString()
        .startsWith("insert entity:Product p1 ");
    assertThat(LedgerFixture.told(ledger, 2)).isEmpty();
    assertThat(LedgerFixture.told(ledger, 4)).hasSize(1);
    Diff diff = ledger.diff(at(1), at(4), rows -> {});
    assertThat(diff.purged()).isEqualTo(Map.of(Models.CUSTOMER, 3L, Models.SUBSCRIPTION, 3L));
    List<Difference> differences = new ArrayList<>();
    diff.forEach(differences::add);
    assertThat(differences).isEmpty();
    assertThatThrownBy(() -> ledger.branches().createAt(new BranchName("old"), 2))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("commit 2 has rows of entity:Customer, which commit 3 dropped")
        .hasMessageContaining("branch at commit 3 or later");
    assertThat(ledger.branches().find(new BranchName("old"))).isEmpty();
    ledger.branches().createAt(new BranchName("later"), 3);
    assertThat(
            ledger
                .verification()
                .run(VerificationDepth.CONTENT, Optional.empty(), VerificationListener.none())
                .first())
        .isEmpty();
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    oldIsGone();
    assertThat(ledger.orphans().find(Duration.ofMillis(200))).isEmpty();
  }

  private List<String> snapshots(String type) {
    return fixture().paths("snapshots/").stream().filter(path -> path.contains(type)).toList();
  }

  @Test
  default void theSnapshotOfADroppedTypeIsDeletedWithItsRows() {
    try (Ledger writer = threeTypes()) {
      assertThat(
              writer
                  .compaction()
                  .run(writer.compaction().plan(CompactionScope.ALL), CompactionListener.none()))
          .isNotEmpty();
      writer.flush();
      assertThat(snapshots("Customer")).isNotEmpty();
      purge(writer, Models.CUSTOMER);
      writer.flush();
    }
    assertThat(snapshots("Customer")).as("kept until garbage is collected").isNotEmpty();

    Ledger ledger = collector();
    AwaitCondition.isTrue(
        "all files of the type are old enough and deleted",
        () -> {
          OrphanCollector orphanCollector = ledger.orphans();
          orphanCollector.find(Duration.ofMillis(200)).forEach(orphanCollector::delete);
          ledger
              .obsoleteSnapshots()
              .find(Duration.ofMillis(200))
              .forEach(ledger.obsoleteSnapshots()::delete);
          return files("Customer").isEmpty() && snapshots("Customer").isEmpty();
        });

    assertThat(files("Product")).hasSize(1);
    assertThat(ledger.log().purged(1))
        .isEqualTo(Map.of(Models.CUSTOMER, 3L, Models.SUBSCRIPTION, 3L));
    assertThat(LedgerFixture.told(ledger, 1))
        .singleElement()
        .asString()
        .startsWith("insert entity:Product p1 ");
    assertThat(LedgerFixture.told(ledger, 2)).isEmpty();
    assertThatThrownBy(() -> ledger.branches().createAt(new BranchName("old"), 1))
        .isInstanceOf(BranchRefusedException.class);
    assertThat(
            ledger
                .verification()
                .run(VerificationDepth.CONTENT, Optional.empty(), VerificationListener.none())
                .first())
        .isEmpty();
  }

  private static Revision at(long commit) {
    return Revision.parse(Long.toString(commit), BranchName.MAIN);
  }

  @Test
  default void aBranchFromBeforeADropKeepsTheFiles() {
    try (Ledger writer = threeTypes()) {
      writer.branches().createAt(new BranchName("old"), 1);
      purge(writer, Models.CUSTOMER);
      writer.flush();
    }
    Ledger ledger = collector();

    collect(ledger); // of commit 2, which the branch hasn't

    assertThat(files("Customer")).singleElement().asString().startsWith("commits/1-");
    assertThat(files("Subscription")).hasSize(1);
    Ledger old = fixture().open(new BranchName("old"));
    assertThat(old.reader().count(Models.CUSTOMER)).isEqualTo(1);
    assertThat(LedgerFixture.told(ledger, 2)).isEmpty();
    assertThat(ledger.log().purged(2)).isEqualTo(Map.of(Models.CUSTOMER, 3L));
    assertThat(ledger.log().purged(1)).isEmpty();
  }

  @Test
  default void aBranchThatIsMadeWhileFilesAreBeingDeletedKeepsThemOrIsRefused() {
    try (Ledger writer = threeTypes()) {
      purge(writer, Models.CUSTOMER);
      writer.flush();
    }
    Ledger ledger = collector();
    Duration age = Duration.ofMillis(200);
    AwaitCondition.isTrue(
        "the drop is old enough",
        () -> ledger.orphans().find(age).stream().filter(DropContract::isFile).count() == 3);
    OrphanCollector orphanCollector = ledger.orphans();
    List<OrphanCollector.Orphan> found = orphanCollector.find(age);

    ledger.branches().createAt(new BranchName("early"), 1);
    found.forEach(orphanCollector::delete);

    assertThat(fixture().open(new BranchName("early")).reader().count(Models.CUSTOMER))
        .isEqualTo(1);
    assertThat(files("Customer")).hasSize(1);
    assertThatThrownBy(() -> ledger.branches().createAt(new BranchName("late"), 2))
        .isInstanceOf(BranchRefusedException.class);
  }
}
