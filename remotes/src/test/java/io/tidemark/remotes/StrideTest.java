// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.Notes.author;
import static io.tidemark.remotes.Notes.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.catalog.Approval;
import io.tidemark.ledger.catalog.DropRequest;
import io.tidemark.ledger.catalog.Upgraders;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.names.Address;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.Retry;
import io.tidemark.remotes.Outcome.FastForwarded;
import io.tidemark.remotes.Outcome.UpToDate;
import io.tidemark.remotes.Remotes.Other;
import io.tidemark.remotes.transfer.CopyProgress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that is far behind is pushed to in steps. */
final class StrideTest {

  private static final Address CRM = Address.parse("crm");

  private final Site here = memory("here");
  private final Site store = memory("there");
  private final Site there = store.behind(new Site.Server("http://there", store::own));

  @Entity(name = "Author")
  record LaterAuthor(@Key String id, String name, long born) {}

  @Entity(name = "Late")
  record Late(@Key String id) {}

  @Entity(name = "Late")
  record Latest(@Key String id, String more) {}

  @Entity(name = "Note")
  record OtherNote(@Key String id, long number) {}

  @Entity
  record Declared(@Key String id) {}

  private static Site memory(String name) {
    return new Site(name, new MemoryBackend(), Retry.standard(), TransferContract.options(name));
  }

  private Outcome push(int stride, CopyProgress progress) {
    Means means =
        Means.standard()
            .withOpener(location -> there.names())
            .withLedgers(TransferContract.options("here"))
            .withProgress(progress)
            .withStride(stride);
    Remotes remotes = new Remotes(here.names(), means);
    remotes.add(RemoteName.ORIGIN, there.location());
    return remotes.push(CRM, Other.on(RemoteName.ORIGIN));
  }

  /** One commit there, and ten more here: types begin, change, end and begin anew meanwhile. */
  private void start() {
    here.init("crm");
    here.commit("crm", note("n1", "one")); // 1
    push(100, CopyProgress.untold());
    here.commit("crm", author("a1")); // 2
    here.branch("crm", "dev");
    here.commit("crm:dev", note("d1", "on dev"));
    here.commit("crm:dev", note("d2", "on dev"));
    here.commit("crm", note("n2", "two")); // 3
    here.merge("crm", "dev"); // 4
    here.with(
        "crm",
        ledger -> {
          ledger.session(RecordType.of(Late.class)).validate();
          Site.commit(ledger, author("a2")); // 5
          ledger
              .schemas()
              .migrate(
                  List.of(RecordType.of(LaterAuthor.class).schema()),
                  Upgraders.none().with(TypeId.entity("Author"), 1, row -> row.put("born", 1900)),
                  Approval.Force.FORCE,
                  Map.of()); // 6
          Site.commit(ledger, new Late("l1")); // 7
          ledger
              .schemas()
              .migrate(
                  List.of(RecordType.of(Latest.class).schema()),
                  Upgraders.none().with(TypeId.entity("Late"), 1, row -> row.put("more", "x")),
                  Approval.Force.FORCE,
                  Map.of()); // 8
          ledger
              .schemas()
              .drop(
                  new DropRequest(
                      TypeId.entity("Note"),
                      Set.of(),
                      DropRequest.Dependents.CASCADE,
                      DropPlan.History.PURGE),
                  Approval.Force.FORCE,
                  Map.of()); // 9
          Site.commit(ledger, new OtherNote("n1", 1)); // 10
          Site.commit(ledger, new Latest("l2", "y")); // 11
          ledger.session(RecordType.of(Declared.class)).validate();
        });
    assertThat(here.head("crm").t()).isEqualTo(11);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 10})
  void allOfItComesAlong(int stride) {
    start();
    long[] told = new long[2];
    Outcome outcome =
        push(
            stride,
            (commits, of, bytes) -> {
              synchronized (told) {
                told[0] = Math.max(told[0], commits);
                told[1] = of;
              }
            });
    assertThat(outcome)
        .isInstanceOfSatisfying(
            FastForwarded.class,
            moved -> {
              assertThat(moved.from().t()).isEqualTo(1);
              assertThat(moved.to()).isEqualTo(here.head("crm"));
              assertThat(moved.commits()).as("with the two that were merged").isEqualTo(12);
            });
    assertThat(told).containsExactly(12, 12);
    assertThat(there.account("crm")).isEqualTo(here.account("crm"));
    there.isSound("crm");
    assertThat(push(stride, CopyProgress.untold())).isInstanceOf(UpToDate.class);
  }

  @Test
  void whoBreaksOffGoesOnFromTheLastStep() {
    start();
    List<String> all = Site.committed(here.account("crm"));
    for (long reached = 1; reached < 10; reached++) {
      long before = reached;
      assertThatThrownBy(() -> push(1, (commits, of, bytes) -> stopBehind(before)))
          .isInstanceOf(IllegalStateException.class);
      long now = there.on("crm", ledger -> ledger.log().head().orElse(0L));
      assertThat(now).isEqualTo(before + 1);
      there.isSound("crm");
      assertThat(all).startsWith(Site.committed(there.account("crm")).toArray(String[]::new));
    }
    assertThat(push(1, CopyProgress.untold())).isInstanceOf(FastForwarded.class);
    assertThat(there.account("crm")).isEqualTo(here.account("crm"));
    there.isSound("crm");
  }

  private void stopBehind(long commit) {
    if (there.on("crm", ledger -> ledger.log().head().orElse(0L)) > commit) {
      throw new IllegalStateException("enough");
    }
  }
}
