// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.verify.InvalidCursorException;
import io.tidemark.ledger.internal.verify.ObjectDamage;
import io.tidemark.ledger.internal.verify.Verification;
import io.tidemark.ledger.internal.verify.VerificationCursor;
import io.tidemark.ledger.internal.verify.VerificationDepth;
import io.tidemark.ledger.internal.verify.VerificationListener;
import io.tidemark.ledger.internal.verify.VerificationProgress;
import io.tidemark.ledger.internal.verify.VerificationReport;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Verification finds each object that isn't what its commit wrote. */
interface VerifyContract {

  LedgerFixture fixture();

  private Ledger commits(int number) {
    Ledger ledger = fixture().init();
    commit(ledger, 1, number);
    return ledger;
  }

  private static void commit(Ledger ledger, int first, int last) {
    try (Session session = ledger.session(Models.all())) {
      for (int i = first; i <= last; i++) {
        session.ensure(Customer.of("c" + i, i)).commit();
      }
    }
    ledger.flush();
  }

  private VerificationReport verify(VerificationDepth depth) {
    return new Verification(fixture().objects())
        .run(depth, Optional.empty(), VerificationListener.none());
  }

  private String manifestOf(long commit) {
    return path(commit, "manifest.json");
  }

  private String dataOf(long commit) {
    return path(commit, ".parquet");
  }

  private String path(long commit, String end) {
    return fixture().paths("commits/" + commit + "-").stream()
        .filter(path -> path.endsWith(end))
        .findFirst()
        .orElseThrow();
  }

  private void flipByte(String path) {
    byte[] bytes = fixture().bytes(path);
    bytes[bytes.length / 2] ^= 1;
    fixture().write(path, bytes);
  }

  @Test
  default void anIntactLedgerIsVerifiedWhole() {
    Ledger ledger = commits(3);
    ledger.branches().create(new BranchName("dev"));
    commit(fixture().open(new BranchName("dev")), 4, 5);
    ledger
        .compaction()
        .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());

    for (VerificationDepth depth : VerificationDepth.values()) {
      VerificationReport report = verify(depth);

      assertThat(report.first()).isEmpty();
      assertThat(report.complete()).isTrue();
      VerificationProgress all = report.progress();
      assertThat(all.commits()).isEqualTo(5).isEqualTo(all.ofCommits());
      assertThat(all.files()).isEqualTo(5);
      assertThat(all.snapshots()).isEqualTo(1);
      assertThat(all.bytes() > 0).isEqualTo(depth == VerificationDepth.CONTENT);
    }
  }

  @Test
  default void aFlippedByteOfAFileIsFoundByItsHash() {
    commits(3);
    String data = dataOf(2);
    String before = LedgerFixture.sha256(fixture().bytes(data));
    flipByte(data);
    String after = LedgerFixture.sha256(fixture().bytes(data));

    assertThat(verify(VerificationDepth.EXISTENCE).ok()).isTrue();
    assertThat(verify(VerificationDepth.CONTENT).first())
        .containsExactly(
            new ObjectDamage(
                ObjectDamage.DamageKind.WRONG_HASH,
                BranchName.MAIN,
                2,
                LedgerFixture.PREFIX + data,
                "SHA-256 " + before,
                "SHA-256 " + after));
  }

  @Test
  default void aFileThatIsGoneOrCutIsFoundWithoutReadingFiles() {
    commits(3);
    fixture().delete(dataOf(1));
    byte[] bytes = fixture().bytes(dataOf(3));
    fixture().write(dataOf(3), Arrays.copyOf(bytes, bytes.length - 1));

    for (VerificationDepth depth : VerificationDepth.values()) {
      assertThat(verify(depth).first())
          .extracting(
              ObjectDamage::kind,
              ObjectDamage::commitId,
              ObjectDamage::expected,
              ObjectDamage::found)
          .containsExactly(
              tuple(
                  ObjectDamage.DamageKind.WRONG_SIZE,
                  3L,
                  bytes.length + " bytes",
                  bytes.length - 1 + " bytes"),
              tuple(ObjectDamage.DamageKind.MISSING, 1L, damageSize(1), "no such object"));
    }
  }

  private String damageSize(long commit) {
    return fixture().json(manifestOf(commit)).path("files").path(0).path("size_bytes").asLong()
        + " bytes";
  }

  @Test
  default void damagedManifestsAreFoundAndCommitsBehindThemStillVerified() {
    commits(6);
    String five = manifestOf(5);
    String three = manifestOf(3);
    flipByte(five);
    fixture().delete(three);
    fixture().delete(dataOf(1));

    assertThat(verify(VerificationDepth.EXISTENCE).first())
        .extracting(ObjectDamage::kind, ObjectDamage::commitId, ObjectDamage::key)
        .containsExactly(
            tuple(ObjectDamage.DamageKind.UNREADABLE, 5L, LedgerFixture.PREFIX + five),
            tuple(ObjectDamage.DamageKind.MISSING, 3L, LedgerFixture.PREFIX + three),
            tuple(ObjectDamage.DamageKind.MISSING, 1L, LedgerFixture.PREFIX + dataKey(1)));
  }

  @Test
  default void commitsThatNothingLeadsToAreTold() {
    commits(6);
    fixture().delete(manifestOf(3));
    fixture().write("commits/2-other/manifest.json", "{}");

    assertThat(verify(VerificationDepth.EXISTENCE).first())
        .extracting(ObjectDamage::kind, ObjectDamage::commitId, ObjectDamage::expected)
        .containsExactly(
            tuple(ObjectDamage.DamageKind.MISSING, 3L, "the manifest of commit 3"),
            tuple(ObjectDamage.DamageKind.UNREACHABLE, 1L, "a way to commits 1 to 2"));
  }

  /** The path of a file that may be gone. */
  private String dataKey(long commit) {
    return fixture().json(manifestOf(commit)).path("files").path(0).path("path").asText();
  }

  @Test
  default void aDamagedNewestManifestIsFoundThoughTheLedgerCannotBeOpened() {
    commits(2);
    flipByte(manifestOf(2));

    assertThatThrownBy(() -> fixture().open()).hasMessageContaining(manifestOf(2));
    assertThat(verify(VerificationDepth.EXISTENCE).first())
        .extracting(ObjectDamage::kind, ObjectDamage::commitId)
        .containsExactly(tuple(ObjectDamage.DamageKind.UNREADABLE, 2L));
  }

  @Test
  default void aDamagedSnapshotIsFound() {
    Ledger ledger = commits(3);
    ledger
        .compaction()
        .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
    String snapshot = fixture().paths("snapshots/").get(0);
    flipByte(snapshot);

    assertThat(verify(VerificationDepth.EXISTENCE).ok()).isTrue();
    assertThat(verify(VerificationDepth.CONTENT).first())
        .extracting(ObjectDamage::kind, ObjectDamage::key)
        .containsExactly(
            tuple(ObjectDamage.DamageKind.WRONG_HASH, LedgerFixture.PREFIX + snapshot));

    fixture().delete(snapshot);
    assertThat(verify(VerificationDepth.EXISTENCE).first())
        .extracting(ObjectDamage::kind)
        .containsExactly(ObjectDamage.DamageKind.MISSING);
  }

  @Test
  default void damageOnABranchIsToldOfThatBranchOnly() {
    Ledger ledger = commits(2);
    BranchName dev = new BranchName("dev");
    ledger.branches().create(dev);
    Ledger branch = fixture().open(dev);
    try (Session session = branch.session(Models.all())) {
      session.ensure(Product.of("p1")).commit();
    }
    branch.flush();
    commit(ledger, 3, 3);
    String data =
        fixture().paths("commits/3-").stream()
            .filter(path -> path.endsWith("Product.parquet"))
            .findFirst()
            .orElseThrow();
    flipByte(data);
    fixture().delete(dataKey(1));

    assertThat(verify(VerificationDepth.CONTENT).first())
        .extracting(ObjectDamage::branch, ObjectDamage::commitId, ObjectDamage::kind)
        .containsExactly(
            tuple(BranchName.MAIN, 1L, ObjectDamage.DamageKind.MISSING),
            tuple(dev, 3L, ObjectDamage.DamageKind.WRONG_HASH));
  }

  @Test
  default void headsAreReadOnceForAllFilesOfAPurgedType() {
    int commits = 70; // more than two batches
    Ledger ledger = commits(commits);
    RequestCounts before = fixture().counting().during(() -> verify(VerificationDepth.EXISTENCE));
    ledger
        .schemas()
        .drop(
            new DropRequest(
                Models.CUSTOMER, Set.of(), DropRequest.Dependents.CASCADE, DropPlan.History.PURGE),
            Approval.Force.FORCE,
            Map.of());
    for (int commit = 1; commit <= commits; commit++) {
      fixture().delete(dataKey(commit));
    }

    fixture().counting().reset();
    VerificationReport report = verify(VerificationDepth.EXISTENCE);

    RequestCounts after = fixture().counting().requests();
    assertThat(report.first()).isEmpty();
    assertThat(report.progress().files()).isEqualTo(commits);
    assertThat(after.of(Operation.LIST)).isLessThanOrEqualTo(before.of(Operation.LIST) + 1);
    assertThat(after.of(Operation.GET))
        .as("one more commit, and the heads once more")
        .isLessThanOrEqualTo(before.of(Operation.GET) + 4);
  }

  @Test
  default void aFileThatIsGoneBesidesPurgedOnesIsFound() {
    Ledger ledger = commits(40);
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Product.of("p1")).commit();
    }
    fixture().delete(path(41, "Product.parquet"));
    ledger
        .schemas()
        .drop(
            new DropRequest(
                Models.CUSTOMER, Set.of(), DropRequest.Dependents.CASCADE, DropPlan.History.PURGE),
            Approval.Force.FORCE,
            Map.of());
    for (int commit = 1; commit <= 40; commit++) {
      fixture().delete(dataKey(commit));
    }

    assertThat(verify(VerificationDepth.EXISTENCE).first())
        .extracting(ObjectDamage::kind, ObjectDamage::commitId)
        .containsExactly(tuple(ObjectDamage.DamageKind.MISSING, 41L));
  }

  @Test
  default void aSampleHasTheNewestCommitsOrAllOfFew() {
    commits(40);
    fixture().delete(dataKey(40));
    RandomGenerator random = new Random(7);
    Verification verification = new Verification(fixture().objects());

    VerificationReport some = verification.sample(10, random);
    assertThat(some.first()).extracting(ObjectDamage::commitId).contains(40L);
    assertThat(some.progress().commits()).isEqualTo(10);
    VerificationReport all = verification.sample(40, random);
    assertThat(all.first()).extracting(ObjectDamage::commitId).containsExactly(40L);
    assertThat(all.progress().files()).isEqualTo(40);
  }

  @Test
  default void aStoppedRunGoesOnFromItsCursor() {
    commits(70);
    fixture().delete(dataKey(69));
    fixture().delete(dataKey(2));
    Verification first = new Verification(fixture().objects());
    List<ObjectDamage> found = new ArrayList<>();
    VerificationListener stopping =
        new VerificationListener() {
          @Override
          public void progress(VerificationProgress progress) {
            first.stop();
          }

          @Override
          public void found(ObjectDamage objectDamage) {
            found.add(objectDamage);
          }
        };

    VerificationReport stopped = first.run(VerificationDepth.CONTENT, Optional.empty(), stopping);

    assertThat(stopped.complete()).isFalse();
    assertThat(stopped.progress().files()).isEqualTo(32);
    assertThat(found).extracting(ObjectDamage::commitId).containsExactly(69L);
    String cursor = stopped.progress().cursor().orElseThrow().text();
    assertThat(cursor).isEqualTo("main@39");

    VerificationReport rest =
        new Verification(fixture().objects())
            .run(
                VerificationDepth.CONTENT,
                Optional.of(VerificationCursor.parse(cursor)),
                VerificationListener.none());

    assertThat(rest.complete()).isTrue();
    assertThat(rest.progress().files()).isEqualTo(38);
    assertThat(rest.first()).extracting(ObjectDamage::commitId).containsExactly(2L);
    assertThatThrownBy(() -> VerificationCursor.parse("main"))
        .isInstanceOf(InvalidCursorException.class);
    assertThatThrownBy(
            () ->
                new Verification(fixture().objects())
                    .run(
                        VerificationDepth.CONTENT,
                        Optional.of(VerificationCursor.parse("other@3")),
                        VerificationListener.none()))
        .isInstanceOf(InvalidCursorException.class);
  }
}
