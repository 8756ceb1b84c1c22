// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.Models.CUSTOMER;
import static io.tidemark.ledger.Models.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.branch.Branch;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.names.InvalidAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decision 11: a branch is a second head over the same commits, made without copying. */
interface BranchContract {

  BranchName DEV = new BranchName("dev");

  LedgerFixture fixture();

  private Ledger withCommits(long count) {
    Ledger ledger = fixture().init();
    for (long i = 1; i <= count; i++) {
      ensure(ledger, Customer.of("c1", i), Product.of("p" + i));
    }
    ledger.flush();
    return ledger;
  }

  static void ensure(Ledger ledger, Object... values) {
    try (Session session = ledger.session(Models.all())) {
      session.ensure(List.of(values)).commit();
    }
  }

  /** Such as {@code c1=3}. */
  static List<String> ages(Ledger ledger) {
    return ledger.query().entities(Customer.class).list().stream()
        .map(resultRow -> resultRow.value().id() + "=" + resultRow.value().age())
        .toList();
  }

  private static List<String> rows(Ledger ledger, TypeId type) {
    List<String> rows = new ArrayList<>();
    LedgerReader ledgerReader = ledger.reader();
    ledgerReader.asOf(
        type, ledgerReader.commitId(), row -> rows.add(row.commitId() + " " + row.identity()));
    return rows;
  }

  @Test
  default void d11_aBranchGoesItsOwnWayFromTheHead() {
    Ledger main = withCommits(3);
    List<String> before = fixture().paths("commits/");

    assertThat(main.branches().create(DEV))
        .isInstanceOfSatisfying(
            CreateResult.Created.class,
            created -> assertThat(created.branch().head()).isEqualTo(3));
    assertThat(fixture().paths("commits/")).isEqualTo(before);
    Ledger dev = fixture().open(DEV);
    ensure(dev, Customer.of("c1", 40), Customer.of("c2", 4));
    ensure(main, Customer.of("c1", 50));

    assertThat(dev.log().head()).contains(4L);
    assertThat(main.log().head()).contains(4L);
    assertThat(ages(dev)).containsExactly("c1=40", "c2=4");
    assertThat(ages(main)).containsExactly("c1=50");
    assertThat(LedgerFixture.told(dev, 4)).hasSize(2);
    assertThat(LedgerFixture.told(main, 4)).hasSize(1);
    assertThat(ages(fixture().open(DEV))).containsExactly("c1=40", "c2=4");
    assertThat(main.branches().list())
        .extracting(branch -> branch.name() + " " + branch.head())
        .containsExactly("main 4", "dev 4");
    for (Ledger each : List.of(main, dev)) {
      each.flush();
      assertThat(each.indices().verify(Depth.EVERY_COMMIT)).matches(IndexMaintenance.Report::ok);
    }
  }

  @Test
  default void d11_aBranchBeginsAtAnyCommitAndOnAnyBranch() {
    Ledger main = withCommits(5);

    main.branches().createAt(DEV, 2);
    Ledger dev = fixture().open(DEV);
    assertThat(ages(dev)).containsExactly("c1=2");
    assertThat(rows(dev, PRODUCT)).containsExactly("1 p1", "2 p2");
    ensure(dev, Product.of("other"));
    dev.branches().create(new BranchName("feature/x"));
    Ledger feature = fixture().open(new BranchName("feature/x"));
    ensure(feature, Customer.of("c1", 7));

    assertThat(rows(feature, PRODUCT)).containsExactly("1 p1", "2 p2", "3 other");
    assertThat(rows(main, PRODUCT)).hasSize(5);
    assertThat(fixture().paths("branches/feature%2Fx/"))
        .contains("branches/feature%2Fx/meta/head.json");
    assertThat(feature.branches().list())
        .extracting(
            Branch::name,
            branch -> branch.forked().map(f -> f.branch() + "@" + f.from().commitId()).orElse(""))
        .containsExactly(
            tuple(BranchName.MAIN, ""),
            tuple(DEV, "main@2"),
            tuple(new BranchName("feature/x"), "dev@3"));
    assertThat(dev.indices().verify(Depth.EVERY_COMMIT)).matches(IndexMaintenance.Report::ok);
  }

  @Test
  default void d11_aBranchFromBeforeAMigrationHasTheSchemaOfThatTime() {
    Ledger main = withCommits(2);
    migrate(main);

    main.branches().createAt(DEV, 2);
    main.branches().create(new BranchName("later"));
    Ledger dev = fixture().open(DEV);
    Ledger later = fixture().open(new BranchName("later"));

    assertThat(dev.schemas().history(CUSTOMER)).extracting(v -> v.id()).containsExactly(1L);
    assertThat(later.schemas().history(CUSTOMER)).extracting(v -> v.id()).containsExactly(1L, 2L);
    ensure(dev, Customer.of("c1", 9));
    assertThat(ages(dev)).containsExactly("c1=9");
    try (Session session = later.session(RecordType.of(LaterCustomer.class))) {
      session.ensure(LaterCustomer.of("c1", 9)).commit();
    }
    assertThat(later.log().head()).contains(4L);
    migrate(dev);
    assertThat(dev.schemas().history(CUSTOMER)).extracting(v -> v.id()).containsExactly(1L, 2L);
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

  static void drop(Ledger ledger, TypeId type) {
    ledger
        .schemas()
        .drop(
            new DropRequest(type, Set.of(), Dependents.CASCADE, History.PURGE),
            Approval.Force.FORCE,
            Map.of());
  }

  @Test
  default void d11_aBranchFromBeforeADropHasTheType() {
    Ledger main = withCommits(2);
    drop(main, PRODUCT);
    ensure(main, Product.of("again"));
    main.flush();

    main.branches().createAt(DEV, 2);
    main.branches().createAt(new BranchName("between"), 3);
    main.branches().create(new BranchName("after"));

    Ledger dev = fixture().open(DEV);
    assertThat(rows(dev, PRODUCT)).containsExactly("1 p1", "2 p2");
    assertThat(dev.schemas().current(PRODUCT)).map(v -> v.id()).contains(1L);
    ensure(dev, Product.of("p3"));
    assertThat(rows(dev, PRODUCT)).containsExactly("1 p1", "2 p2", "3 p3");
    Ledger between = fixture().open(new BranchName("between"));
    assertThat(between.schemas().current(PRODUCT)).isEmpty();
    assertThat(between.reader().types()).containsExactly(CUSTOMER);
    ensure(between, Product.of("p9"));
    assertThat(between.schemas().current(PRODUCT)).map(v -> v.id()).contains(2L);
    assertThat(rows(between, PRODUCT)).containsExactly("4 p9");
    Ledger after = fixture().open(new BranchName("after"));
    assertThat(rows(after, PRODUCT)).containsExactly("4 again");
    after.branches().createAt(new BranchName("back"), 1);
    assertThat(rows(fixture().open(new BranchName("back")), PRODUCT)).containsExactly("1 p1");
  }

  @Test
  default void d11_ofTwoWhoMakeTheSameNameOneDoes() {
    Ledger main = withCommits(2);

    assertThat(main.branches().createAt(DEV, 1)).isInstanceOf(CreateResult.Created.class);
    assertThat(main.branches().createAt(DEV, 1)).isInstanceOf(CreateResult.Created.class);
    assertThat(main.branches().createAt(DEV, 2))
        .isInstanceOfSatisfying(
            CreateResult.NameTaken.class,
            nameTaken -> assertThat(nameTaken.other().head()).isEqualTo(1));
    ensure(fixture().open(DEV), Customer.of("c1", 70));
    assertThat(main.branches().createAt(DEV, 1)).isInstanceOf(CreateResult.NameTaken.class);
    assertThat(main.branches().create(BranchName.MAIN)).isInstanceOf(CreateResult.NameTaken.class);
  }

  @Test
  default void d11_aBranchThatIsDroppedIsGoneAndItsNameIsFree() {
    Ledger main = withCommits(2);
    main.branches().create(DEV);
    Ledger dev = fixture().open(DEV);
    ensure(dev, Customer.of("c1", 70));

    assertThat(main.branches().drop(DEV)).isTrue();
    assertThat(main.branches().drop(DEV)).isFalse();
    assertThat(main.branches().list()).extracting(Branch::name).containsExactly(BranchName.MAIN);
    assertThatThrownBy(() -> fixture().open(DEV))
        .isInstanceOf(UninitializedLedgerException.class)
        .hasMessageContaining("no branch dev");
    assertThatThrownBy(() -> ensure(dev, Customer.of("c1", 71)))
        .isInstanceOf(UninitializedLedgerException.class);
    assertThatThrownBy(() -> main.branches().drop(BranchName.MAIN))
        .isInstanceOf(BranchRefusedException.class);

    main.branches().createAt(DEV, 1);
    assertThat(ages(fixture().open(DEV))).containsExactly("c1=1");
  }

  @Test
  default void d11_badBranchesAreRefused() {
    Ledger main = fixture().init();

    assertThatThrownBy(() -> main.branches().create(DEV))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("no commit to branch from");
    ensure(main, Customer.of("c1", 1));
    assertThatThrownBy(() -> main.branches().createAt(DEV, 2))
        .isInstanceOf(UnknownCommitException.class)
        .hasMessageContaining("from 1 to 1");
    for (String bad : List.of("", "..", "a/../b", "a%2Fb", "a b", "a/", "x".repeat(129))) {
      assertThatThrownBy(() -> new BranchName(bad)).isInstanceOf(InvalidAddressException.class);
    }
    assertThat(fixture().paths("branches/")).isEmpty();
    main.branches().create(DEV);
    LedgerInitializer init = fixture().initialiser();
    assertThatThrownBy(() -> init.reinitialize(init.plan().forceToken()))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("[dev]");
    assertThat(main.log().head()).contains(1L);
  }

  @Test
  default void d11_aBranchWorksWithoutItsIndex() {
    Ledger main = withCommits(3);
    main.branches().create(DEV);
    fixture().paths(fixture().pathOn(DEV, "meta/indices/")).forEach(fixture()::delete);
    Ledger dev = fixture().open(DEV);
    ensure(dev, Customer.of("c2", 4));
    dev.flush();

    assertThat(ages(dev)).containsExactly("c1=3", "c2=4");
    assertThat(rows(dev, PRODUCT)).containsExactly("1 p1", "2 p2", "3 p3");
    dev.indices().repair(Depth.EVERY_COMMIT);
    assertThat(dev.indices().verify(Depth.EVERY_COMMIT)).matches(IndexMaintenance.Report::ok);
  }

  @Test
  default void d11_noBranchHasANameThatMeansACommit() {
    Ledger main = withCommits(2);

    for (String name : List.of("7", "0", "head", "HEAD", "1..2", "dev..")) {
      assertThatThrownBy(() -> main.branches().create(new BranchName(name)))
          .isInstanceOf(BranchRefusedException.class)
          .hasMessageContaining("can't be called '" + name + "'");
      assertThatThrownBy(() -> main.branches().createAt(new BranchName(name), 1))
          .isInstanceOf(BranchRefusedException.class);
    }
    assertThat(fixture().paths("branches/")).isEmpty();
    for (String name : List.of("7a", "v1.2", "header", "2026-11", "a/7")) {
      BranchName branch = new BranchName(name);
      assertThat(Revision.parse(name, DEV)).isEqualTo(new Revision.Newest(branch));
      assertThat(main.branches().create(branch)).isInstanceOf(CreateResult.Created.class);
    }
    assertThat(Revision.parse("head", DEV)).isEqualTo(new Revision.Newest(DEV));
    assertThat(Revision.parse("", DEV)).isEqualTo(new Revision.Newest(DEV));
    assertThat(Revision.parse("7", DEV)).isEqualTo(new Revision.AtCommit(DEV, 7));
    assertThat(Revision.parse("@7", DEV)).isEqualTo(new Revision.AtCommit(DEV, 7));
    assertThat(Revision.parse("7@HEAD", DEV))
        .as("one that has its name since before")
        .isEqualTo(new Revision.Newest(new BranchName("7")));
    for (String bad : List.of("dev@", "dev@x", "@", "a@b@1", "dev@-1", "a b")) {
      assertThatThrownBy(() -> Revision.parse(bad, DEV))
          .isInstanceOf(InvalidAddressException.class);
    }
  }

  @Test
  default void f32_whatABranchLeftThatNeverCameToBeIsCollected() {
    Ledger main = withCommits(1);
    main.branches().create(DEV);
    String orphan = "branches/dev/00000000-dead/meta/schema/types.json";
    fixture().write(orphan, "{}");
    Ledger brief = fixture().openWithLease(Duration.ofMillis(50));
    AwaitCondition.isTrue(
        "it is old enough", () -> !brief.orphans().find(Duration.ofMillis(50)).isEmpty());

    List<OrphanCollector.Orphan> found = brief.orphans().find(Duration.ofMillis(50));
    assertThat(found)
        .extracting(OrphanCollector.Orphan::directory)
        .containsExactly("branches/dev/00000000-dead/");
    found.forEach(brief.orphans()::delete);
    assertThat(fixture().paths("branches/dev/")).doesNotContain(orphan);
    assertThat(ages(fixture().open(DEV))).containsExactly("c1=1");
    fixture().write("branches/dev/meta/schema/types.json", "{}"); // as it was before homes
    main.branches().drop(DEV);
    assertThat(fixture().paths("branches/dev/"))
        .as("a tombstone and a note")
        .hasSize(2)
        .contains("branches/dev/meta/head.json");
  }
}
