// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.NoteTypes.author;
import static io.tidemark.remotes.NoteTypes.note;
import static io.tidemark.remotes.NoteTypes.wrote;

import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.remotes.transfer.TransferOutcome;
import java.util.Map;
import java.util.Set;

/** Something that takes many requests to two stores, and must not be seen by halves. */
enum TransferOperation {
  FIRST_PUSH("crm") {
    @Override
    void prepare(Site here, Site there) {
      start(here);
    }

    @Override
    TransferOutcome perform(Site here, Site there) {
      return here.push(there, "crm");
    }
  },
  PUSH("crm") {
    @Override
    void prepare(Site here, Site there) {
      start(here);
      here.push(there, "crm");
      more(here);
    }

    @Override
    TransferOutcome perform(Site here, Site there) {
      return here.push(there, "crm");
    }
  },
  PULL("crm") {
    @Override
    void prepare(Site here, Site there) {
      start(here);
      here.push(there, "crm");
      more(there);
    }

    @Override
    TransferOutcome perform(Site here, Site there) {
      return here.pull(there, "crm");
    }

    @Override
    Site target(Site here, Site there) {
      return here;
    }
  },
  CLONE("crm") {
    @Override
    void prepare(Site here, Site there) {
      start(there);
      there.branch("crm", "dev");
      there.commit("crm:dev", note("d1", "on dev"));
      there.commit("crm", note("m1", "on main"));
      there.merge("crm", "dev");
    }

    @Override
    TransferOutcome perform(Site here, Site there) {
      return here.cloneOf(there, "crm");
    }

    @Override
    Site target(Site here, Site there) {
      return here;
    }
  },
  PUSH_OF_A_NEW_BRANCH("crm:dev") {
    @Override
    void prepare(Site here, Site there) {
      start(here);
      here.push(there, "crm");
      here.branch("crm", "dev");
      here.commit("crm:dev", note("d1", "on dev"));
    }

    @Override
    TransferOutcome perform(Site here, Site there) {
      return here.push(there, "crm:dev");
    }
  };

  private final String address;

  TransferOperation(String address) {
    this.address = address;
  }

  String address() {
    return address;
  }

  abstract void prepare(Site here, Site there);

  abstract TransferOutcome perform(Site here, Site there);

  /** The side that moves. */
  Site target(Site here, Site there) {
    return there;
  }

  Site source(Site here, Site there) {
    return target(here, there) == here ? there : here;
  }

  private static void start(Site site) {
    site.init("crm");
    site.commit("crm", note("n1", "one"), author("a1"));
    site.commit("crm", note("n1", "two"), wrote("a1", "n1"));
  }

  /** Changes a type that is there, makes one that isn't, and ends one. */
  private static void more(Site site) {
    site.commit("crm", note("n2", "three"), new TransferContract.Declared("d1"));
    site.with(
        "crm",
        ledger ->
            ledger
                .schemas()
                .drop(
                    new DropRequest(
                        TypeId.entity("Author"),
                        Set.of(),
                        DropRequest.Dependents.CASCADE,
                        History.PURGE),
                    Approval.Force.FORCE,
                    Map.of()));
  }
}
