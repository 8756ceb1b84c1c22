// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.DEV;
import static io.tidemark.names.dynamodb.Samples.MYDB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Branches;
import io.tidemark.names.EditDecision;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Branches, though the index that lists them lags behind and other programs remove them. */
class BranchesTest extends DynamoDbTestBase {

  BranchesTest(DynamoDbServer server) {
    super(server);
  }

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

    assertThat(names.branches().drop(DEV).dropped()).isEqualTo(Branches.DropOutcome.DEFERRED);
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
                        return EditDecision.remove();
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
    assertThat(backend.edit(branch.address(), seen -> EditDecision.remove())).isPresent();
    assertThat(table.rows("mydb:main")).isEmpty();
    assertThat(table.rows("mydb:dev")).isEmpty();
  }
}
