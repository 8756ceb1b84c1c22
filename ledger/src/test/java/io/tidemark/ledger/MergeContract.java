// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.DEV;
import static io.tidemark.ledger.BranchContract.ages;
import static io.tidemark.ledger.BranchContract.ensure;
import static io.tidemark.ledger.Models.CUSTOMER;
import static io.tidemark.ledger.Models.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.Diff;
import io.tidemark.ledger.internal.branch.Difference;
import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflict;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.internal.branch.MergeOutcome.Counts;
import io.tidemark.ledger.internal.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.branch.MergeOutcome.UpToDate;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.branch.SchemasDifferException;
import io.tidemark.ledger.internal.branch.UnknownBranchException;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Indexed;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.UnknownCommitException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Decision 11: how branches differ, and how one takes in another. */
interface MergeContract {

  LedgerFixture fixture();

  private Ledger main() {
    Ledger main = fixture().init();
    ensure(main, Customer.of("c1", 1), Customer.of("c2", 2), Product.of("p1"));
    return main;
  }

  private Ledger dev(Ledger main) {
    main.branches().create(DEV);
    return fixture().open(DEV);
  }

  private static Customer tier(String id, long age, String tier) {
    return new Customer(id, "Name of " + id, age, Optional.empty(), tier, true);
  }

  private static MergeOutcome merge(Ledger target, BranchName source) {
    return target.merge(source, ConflictResolution.REFUSE).apply(Map.of("by", "test"));
  }

  private static List<String> diff(Ledger ledger, String from, String to) {
    List<String> told = new ArrayList<>();
    ledger
        .diff(
            Revision.parse(from, BranchName.MAIN), Revision.parse(to, BranchName.MAIN), rows -> {})
        .forEach(
            each ->
                told.add(
                    each.kind().jsonName()
                        + " "
                        + each.identity()
                        + " "
                        + each.before().map(Row::commitId).orElse(0L)
                        + "->"
                        + each.after().map(Row::commitId).orElse(0L)));
    return told;
  }

  @Test
  default void d11_aDiffTellsWhatHasBecomeOfEachIdentity() {
    Ledger main = main();
    ensure(main, Customer.of("c1", 10), Customer.of("c3", 3));
    ensure(main, Customer.of("c1", 11), Customer.of("c2", 2));
    ensure(main, Customer.of("c1", 1));

    assertThat(diff(main, "1", "2")).containsExactly("changed c1 1->2", "inserted c3 0->2");
    assertThat(diff(main, "1", "3")).containsExactly("inserted c3 0->2", "changed c1 1->3");
    assertThat(diff(main, "1", "4")).as("c1 is as it was").containsExactly("inserted c3 0->2");
    assertThat(diff(main, "3", "1")).containsExactly("removed c3 2->0", "changed c1 3->1");
    assertThat(diff(main, "4", "head")).isEmpty();
    assertThat(diff(main, "0", "2"))
        .containsExactly(
            "inserted c2 0->1", "inserted c1 0->2", "inserted c3 0->2", "inserted p1 0->1");
    assertThat(diff(main, "2", "0"))
        .containsExactly(
            "removed c2 1->0", "removed c1 2->0", "removed c3 2->0", "removed p1 1->0");
    assertThat(diff(main, "0", "0")).isEmpty();
    assertThatThrownBy(() -> diff(main, "1", "5")).isInstanceOf(UnknownCommitException.class);
    assertThatThrownBy(() -> diff(main, "1", "dev")).isInstanceOf(UnknownBranchException.class);
  }

  @Test
  default void d11_branchesAreComparedByTheirStates() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, Customer.of("c1", 10), Customer.of("c3", 3), Product.of("same"));
    ensure(main, Customer.of("c2", 20), Product.of("same"));
    ensure(main, Customer.of("c4", 4));

    Diff diff =
        main.diff(
            Revision.parse("", BranchName.MAIN),
            Revision.parse("dev", BranchName.MAIN),
            rows -> {});
    assertThat(diff.ancestor()).contains(1L);
    assertThat(diff(main, "", "dev"))
        .containsExactly(
            "changed c1 1->2", "inserted c3 0->2", "changed c2 2->1", "removed c4 3->0");
    assertThat(diff(main, "dev@1", "main@1")).isEmpty();
    assertThat(diff(main, "main@2", "dev@2"))
        .containsExactly("changed c1 1->2", "inserted c3 0->2", "changed c2 2->1");
  }

  /** A customer after a migration that added a field which may be null. */
  @Entity(name = "Customer")
  record NotedCustomer(
      @Key String id,
      String name,
      long age,
      @Indexed Optional<String> email,
      @Indexed String tier,
      boolean active,
      Optional<String> note) {}

  /** A product after a migration that renamed a field. */
  @Entity(name = "Product")
  record TitledProduct(@Key String sku, String title, double price, @Indexed String category) {}

  private static void migrate(Ledger ledger, Class<? extends Record> type, Upgraders upgraders) {
    ledger
        .schemas()
        .migrate(List.of(RecordType.of(type).schema()), upgraders, Approval.Force.FORCE, Map.of());
  }

  private static void rename(Ledger ledger) {
    migrate(
        ledger,
        TitledProduct.class,
        Upgraders.none()
            .with(PRODUCT, 1, row -> row.set("title", row.remove("name")))
            .renaming(PRODUCT, 1, "name", "title"));
  }

  private static Diff compared(Ledger ledger, String from, String to) {
    return ledger.diff(
        Revision.parse(from, BranchName.MAIN), Revision.parse(to, BranchName.MAIN), rows -> {});
  }

  @Test
  default void d11_rowsThatAMigrationOnlyRewroteDontDiffer() {
    Ledger main = main();
    ensure(main, Customer.of("c1", 10));
    migrate(
        main,
        NotedCustomer.class,
        Upgraders.none().with(CUSTOMER, 1, row -> row.putNull("note"))); // commit 3
    rename(main); // commit 4

    assertThat(diff(main, "2", "4")).isEmpty();
    assertThat(diff(main, "4", "2")).isEmpty();
    assertThat(diff(main, "1", "4")).containsExactly("changed c1 1->3");
    assertThat(diff(main, "4", "1")).containsExactly("changed c1 3->1");
    assertThat(diff(main, "0", "1")).hasSize(3);

    Diff diff = compared(main, "1", "4");
    List<Difference> differences = new ArrayList<>();
    diff.forEach(differences::add);
    assertThat(differences)
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.before().orElseThrow().fieldsJson())
                    .contains("\"age\":1,", "\"note\":null"));
    assertThat(diff.versions())
        .extracting(Object::toString)
        .containsExactly(
            "entity:Customer: 2 rows of version 1 shown in version 2",
            "entity:Product: 1 row of version 1 shown in version 2");

    Diff then = compared(main, "1", "2").inSchemaOf(2);
    then.forEach(
        each -> assertThat(each.after().orElseThrow().fieldsJson()).doesNotContain("note"));
    assertThat(then.versions()).isEmpty();
    assertThatThrownBy(() -> then.inSchemaOf(5)).isInstanceOf(UnknownCommitException.class);
  }

  @Test
  default void d11_branchesAreComparedInTheSchemaOfTheSecond() {
    Ledger main = main();
    Ledger dev = dev(main);
    rename(dev);
    ensure(main, Customer.of("c2", 20));
    assertThat(diff(main, "main", "dev")).containsExactly("changed c2 2->1");
    assertThat(diff(main, "dev", "main")).containsExactly("changed c2 1->2");
    Diff back = compared(main, "dev", "main");
    back.forEach(each -> {});
    assertThat(back.versions())
        .extracting(Object::toString)
        .containsExactly("entity:Product: 1 row of version 2 shown in version 1");

    rename(main);
    Diff both = compared(main, "main", "dev");
    both.forEach(each -> assertThat(each.type()).isEqualTo(CUSTOMER));
    assertThat(both.versions()).as("each migrated alike").isEmpty();
  }

  @Test
  default void d11_aDiffWithABranchThatGoesMeanwhileSaysSo() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, Customer.of("c1", 10));
    dev.flush();
    String path = fixture().json("branches/dev/meta/head.json").path("manifest_path").asText();
    String file = fixture().json(path).path("files").path(0).path("path").asText();
    Diff diff =
        main.diff(
            Revision.parse("", BranchName.MAIN),
            Revision.parse("dev", BranchName.MAIN),
            rows -> {});
    byte[] bytes = fixture().bytes(file);
    fixture().delete(file);
    assertThatThrownBy(() -> diff.forEach(each -> {}))
        .as("the branch is there")
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(file);
    fixture().write(file, bytes);

    main.branches().drop(DEV);
    fixture().delete(file); // as gc does later

    assertThatThrownBy(() -> diff.forEach(each -> {}))
        .isInstanceOf(UnknownBranchException.class)
        .hasMessageContaining("dev")
        .hasMessageContaining("dropped while it was read");
  }

  @Test
  default void d11_aTypeThatWasDroppedIsComparedAsAWhole() {
    Ledger main = main();
    ensure(main, Product.of("p2"));
    BranchContract.drop(main, PRODUCT);
    main.flush();

    assertThat(diff(main, "2", "3")).containsExactly("removed p1 1->0", "removed p2 2->0");
    assertThat(diff(main, "3", "1")).containsExactly("inserted p1 0->1");
    ensure(main, Product.of("p1"));
    assertThat(diff(main, "1", "4")).as("the same again").isEmpty();
  }

  @Test
  default void d11_aTargetWithNothingOfItsOwnIsForwarded() {
    Ledger main = main();
    Ledger dev = dev(main);
    try (Session session = dev.session(RecordType.of(Models.Person.class))) {
      session.ensure(new Models.Person("x", "X")).commit();
    }
    migrate(dev);

    assertThat(main.merge(DEV, ConflictResolution.REFUSE).preview())
        .isEqualTo(new FastForward(3, 1));
    assertThat(main.log().head()).contains(1L);
    assertThat(merge(main, DEV)).isEqualTo(new FastForward(3, 1));

    main.flush();
    assertThat(main.log().head()).contains(3L);
    assertThat(main.schemas().current()).isEqualTo(dev.schemas().current());
    assertThat(main.schemas().history(CUSTOMER)).extracting(v -> v.id()).containsExactly(1L, 2L);
    assertThat(main.indices().verify(Depth.EVERY_COMMIT)).matches(IndexMaintenance.Report::ok);
    assertThat(merge(main, DEV)).isEqualTo(new UpToDate(3, 3));
    assertThat(merge(dev, BranchName.MAIN)).isEqualTo(new UpToDate(3, 3));
    try (Session session = main.session(RecordType.of(LaterCustomer.class))) {
      session.ensure(LaterCustomer.of("c9", 9)).commit();
    }
    assertThat(main.log().head()).contains(4L);
    assertThat(dev.log().head()).contains(3L);
  }

  private static void migrate(Ledger ledger) {
    ledger
        .schemas()
        .migrate(
            List.of(RecordType.of(LaterCustomer.class).schema()),
            Upgraders.none().with(CUSTOMER, 1, row -> row.put("note", "upgraded")),
            Approval.Force.FORCE,
            Map.of());
  }

  @Test
  default void d11_whatOneSideChangedIsTakenAndWhatBothChangedIsPutTogether() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, tier("c1", 1, "Gold"), tier("c2", 50, "Standard"), Customer.of("c3", 3));
    ensure(dev, Product.of("both"));
    ensure(main, Customer.of("c1", 10), Customer.of("c4", 4), Product.of("both"));

    MergeOutcome outcome = merge(main, DEV);

    assertThat(outcome)
        .isEqualTo(
            new Merged(
                3, 1, new TreeMap<>(Map.of(CUSTOMER, new Counts(2, 1, 0))), Optional.of(3L)));
    assertThat(ages(main)).containsExactly("c1=10", "c2=50", "c3=3", "c4=4");
    assertThat(LedgerFixture.told(main, 3))
        .hasSize(3)
        .first()
        .asString()
        .contains("\"tier\":\"Standard\"} -> ")
        .endsWith("\"tier\":\"Gold\"}");
    assertThat(main.log().get(3).orElseThrow().metadata().toString())
        .contains(
            "\"by\":\"test\"",
            "\"operation\":\"merge\"",
            "\"source\":\"dev\"",
            "\"source_commit\":3");
    assertThat(merge(main, DEV)).isEqualTo(new UpToDate(3, 3));
    assertThat(ages(dev)).containsExactly("c1=1", "c2=50", "c3=3");
    assertThat(merge(dev, BranchName.MAIN)).isInstanceOf(Merged.class);
    assertThat(ages(dev)).isEqualTo(ages(main));
    assertThat(diff(main, "main", "dev")).isEmpty();
  }

  @Test
  default void d11_whatBothChangedDifferentlyIsToldFieldByField() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, tier("c1", 7, "Gold"), Customer.of("new", 5));
    ensure(main, tier("c1", 8, "Standard"), Customer.of("new", 6), Customer.of("mine", 1));

    MergeOutcome outcome = merge(main, DEV);

    assertThat(outcome).isInstanceOf(Conflicted.class);
    Conflicted conflicted = (Conflicted) outcome;
    assertThat(conflicted.total()).isEqualTo(2);
    assertThat(conflicted.first())
        .extracting(Conflict::identity, each -> each.fields().toString())
        .containsExactly(
            tuple(
                new Identity.EntityKey("c1"),
                "[FieldConflict[field=age, base=Optional[1], ours=Optional[8],"
                    + " theirs=Optional[7]]]"),
            tuple(
                new Identity.EntityKey("new"),
                "[FieldConflict[field=age, base=Optional.empty, ours=Optional[6],"
                    + " theirs=Optional[5]]]"));
    assertThat(main.log().head()).contains(2L);

    assertThat(main.merge(DEV, ConflictResolution.OURS).apply(Map.of()))
        .isEqualTo(
            new Merged(
                2, 1, new TreeMap<>(Map.of(CUSTOMER, new Counts(0, 0, 1))), Optional.of(3L)));
    assertThat(ages(main)).containsExactly("c1=8", "c2=2", "mine=1", "new=6");
    assertThat(LedgerFixture.told(main, 3)).singleElement().asString().contains("Gold");
    assertThat(merge(dev, BranchName.MAIN))
        .as("ours was decided on main")
        .isInstanceOf(Merged.class);
    assertThat(ages(dev)).containsExactly("c1=8", "c2=2", "mine=1", "new=6");
  }

  @Test
  default void d11_theirsTakesTheSourcesFields() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, tier("c1", 7, "Gold"));
    ensure(main, Customer.of("c1", 8));

    assertThat(main.merge(DEV, ConflictResolution.THEIRS).apply(Map.of()))
        .isInstanceOf(Merged.class);
    assertThat(ages(main)).containsExactly("c1=7", "c2=2");
  }

  @Test
  default void d11_aMergeThatChangesNoRowStillCountsForTheNext() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, Customer.of("c1", 5));
    ensure(main, Customer.of("c1", 5));

    assertThat(merge(main, DEV)).isInstanceOf(Merged.class);
    assertThat(LedgerFixture.told(main, 3)).isEmpty();
    ensure(dev, Customer.of("c1", 6));
    assertThat(merge(main, DEV)).as("5 is known to both").isInstanceOf(Merged.class);
    assertThat(ages(main)).containsExactly("c1=6", "c2=2");
  }

  @Test
  default void d11_aChangeThatWasTakenBackIsntBroughtBackByTheNextMerge() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(dev, Customer.of("c1", 5));
    ensure(main, Customer.of("c2", 20));
    merge(main, DEV);
    ensure(main, Customer.of("c1", 1));
    ensure(dev, Customer.of("c3", 3));

    merge(main, DEV);
    assertThat(ages(main)).containsExactly("c1=1", "c2=20", "c3=3");
    merge(dev, BranchName.MAIN);
    assertThat(ages(dev)).containsExactly("c1=1", "c2=20", "c3=3");
  }

  @Test
  default void d11_whenBothTookInEachOtherNothingIsBroughtBackSilently() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(main, Customer.of("c1", 10));
    ensure(dev, Customer.of("c2", 20));
    BranchName mainThen = new BranchName("main-then");
    BranchName devThen = new BranchName("dev-then");
    main.branches().create(mainThen);
    dev.branches().create(devThen);
    assertThat(merge(main, devThen)).isInstanceOf(Merged.class);
    assertThat(merge(dev, mainThen)).isInstanceOf(Merged.class);
    assertThat(ages(main)).isEqualTo(ages(dev)).containsExactly("c1=10", "c2=20");

    ensure(dev, Customer.of("c3", 3));
    assertThat(merge(main, DEV)).as("neither base has it").isInstanceOf(Merged.class);
    assertThat(ages(main)).containsExactly("c1=10", "c2=20", "c3=3");
    BranchName again = new BranchName("again");
    main.branches().createAt(again, 3);
    Ledger other = fixture().open(again);
    ensure(other, Customer.of("c2", 2));
    assertThat(merge(other, DEV))
        .as("taken back, as seen from one base; and untouched, as seen from the other")
        .isInstanceOfSatisfying(
            Conflicted.class,
            conflict ->
                assertThat(conflict.first())
                    .singleElement()
                    .satisfies(each -> assertThat(each.identity()).hasToString("c2")));
    assertThat(other.merge(DEV, ConflictResolution.OURS).apply(Map.of()))
        .isInstanceOf(Merged.class);
    assertThat(ages(other)).containsExactly("c1=10", "c2=2", "c3=3");
  }

  @Test
  default void d11_aTypeThatOnlyTheSourceHasIsDeclared() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(main, Customer.of("c2", 20));
    try (Session session = dev.session(RecordType.of(Models.Person.class))) {
      session.ensure(new Models.Person("x", "X")).commit();
    }

    assertThat(main.merge(DEV, ConflictResolution.REFUSE).preview()).isInstanceOf(Merged.class);
    assertThat(main.schemas().current()).hasSize(3);
    assertThat(merge(main, DEV)).isInstanceOf(Merged.class);
    assertThat(main.query().entities(Models.Person.class).count()).isEqualTo(1);
  }

  @Test
  default void d11_typesThatDontAgreeAreRefused() {
    Ledger main = main();
    Ledger dev = dev(main);
    migrate(dev);
    ensure(main, Customer.of("c2", 20));

    assertThatThrownBy(() -> merge(main, DEV))
        .isInstanceOf(SchemasDifferException.class)
        .hasMessageContainingAll("note", "migrate one branch");
    migrate(main);
    assertThat(merge(main, DEV)).isInstanceOf(Merged.class);
    BranchContract.drop(dev, PRODUCT);
    assertThatThrownBy(() -> merge(main, DEV))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("entity:Product was dropped on dev");
    assertThat(merge(dev, BranchName.MAIN)).as("main hasn't changed it").isInstanceOf(Merged.class);
    BranchContract.drop(main, PRODUCT);
    assertThat(merge(main, DEV)).isInstanceOf(Merged.class);
    assertThatThrownBy(() -> merge(dev, DEV)).isInstanceOf(BranchRefusedException.class);
    assertThatThrownBy(() -> merge(dev, new BranchName("nobody")))
        .isInstanceOf(UnknownBranchException.class);
  }

  @Test
  default void f32_commitsOfADroppedBranchGoWhenNobodyHasThem() {
    Ledger main = main();
    Ledger dev = dev(main);
    ensure(main, Customer.of("c2", 20));
    ensure(dev, Customer.of("c1", 5));
    merge(main, DEV);
    dev.branches().create(new BranchName("other"));
    ensure(dev, Customer.of("c1", 6));
    ensure(fixture().open(new BranchName("other")), Customer.of("c1", 7));
    dev.flush(); // its index, which would be left over when it came after the drop
    main.branches().drop(DEV);

    List<String> kept = fixture().paths("commits/");
    Duration age = Duration.ofMillis(200);
    Ledger brief = fixture().openWithLease(age);
    AwaitCondition.isTrue("they are old enough", () -> brief.orphans().find(age).size() >= 2);

    List<OrphanCollector.Orphan> found = brief.orphans().find(age);
    assertThat(found)
        .as("the note and the commit")
        .extracting(OrphanCollector.Orphan::commitId)
        .containsExactly(0L, 3L);
    assertThat(found.get(0).directory()).startsWith("branches/dev/dropped/");
    found.forEach(brief.orphans()::delete);
    assertThat(fixture().paths("branches/dev/dropped/")).isEmpty();
    assertThat(fixture().paths("commits/")).hasSize(kept.size() - 2);
    assertThat(ages(fixture().open(new BranchName("other")))).containsExactly("c1=7", "c2=2");
    assertThat(ages(fixture().open())).containsExactly("c1=5", "c2=20");
    assertThat(merge(main, new BranchName("other"))).isInstanceOf(Merged.class);
    assertThat(ages(main)).containsExactly("c1=7", "c2=20");
  }

  @Test
  default void d11_theWayOutThatARefusalTellsOfLeadsOut() {
    Ledger main = main();
    ensure(main, Product.of("p1"));
    Ledger dev = dev(main);
    BranchContract.drop(dev, PRODUCT);
    ensure(dev, Customer.of("c1", 5));
    ensure(main, Product.of("p2"));

    assertThatThrownBy(() -> merge(main, DEV))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("entity:Product was dropped on dev and has rows on main")
        .hasMessageContaining("drop it on main too, after an export if they are to stay");
    assertThatThrownBy(() -> merge(dev, BranchName.MAIN))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("drop it on main too");
    BranchContract.drop(main, PRODUCT);
    assertThat(merge(main, DEV)).isInstanceOf(Merged.class);
    ensure(main, Product.of("p1"), Product.of("p2"));
    assertThat(merge(dev, BranchName.MAIN)).isInstanceOf(MergeOutcome.class);
    assertThat(dev.query().entities(Product.class).count()).isEqualTo(2);
    assertThat(ages(dev)).contains("c1=5");
  }
}
