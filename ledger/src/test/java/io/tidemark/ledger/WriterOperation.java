// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.compact.Compaction;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Something that a writer does, and can do again when it doesn't know whether it did: done twice,
 * it is done once.
 */
enum WriterOperation {
  /** Declares one type and writes to it, as the first writer of a ledger. */
  FIRST_COMMIT {
    @Override
    void prepare(Ledger ledger) {}

    @Override
    void perform(Ledger ledger) {
      write(ledger, "first", RecordType.of(Customer.class), Customer.of("c1", 1));
    }
  },
  /** The same with three types. */
  FIRST_COMMIT_OF_THREE_TYPES {
    @Override
    void prepare(Ledger ledger) {}

    @Override
    void perform(Ledger ledger) {
      writeThree(ledger, "first", 1);
    }
  },
  /** A new process writes to one of the types there are, with something for others. */
  COLD_COMMIT_OF_ONE_TYPE {
    @Override
    void perform(Ledger ledger) {
      writeAndTell(ledger, "one", RecordType.of(Customer.class), Customer.of("c1", 2));
    }
  },
  /** A new process writes to three types. */
  COLD_COMMIT_OF_THREE_TYPES {
    @Override
    void perform(Ledger ledger) {
      writeThree(ledger, "three", 2);
    }
  },
  /** A process that has written before writes to one type, with something for others. */
  WARM_COMMIT_OF_ONE_TYPE {
    @Override
    boolean isWarm() {
      return true;
    }

    @Override
    void perform(Ledger ledger) {
      writeAndTell(ledger, "one", RecordType.of(Customer.class), Customer.of("c1", 2));
    }
  },
  /** A process that has written before writes to three types, twice. */
  WARM_COMMITS_OF_THREE_TYPES {
    @Override
    boolean isWarm() {
      return true;
    }

    @Override
    void perform(Ledger ledger) {
      if (ledger.log().head().orElseThrow() < 4) {
        writeThree(ledger, "three", 2);
      }
      writeThree(ledger, "three more", 3);
    }
  },
  /** Gives a type another schema, and writes to it; the upgrader mustn't see a row twice. */
  MIGRATION {
    @Override
    void perform(Ledger ledger) {
      ledger
          .schemas()
          .migrate(
              List.of(RecordType.of(LaterCustomer.class).schema()),
              Upgraders.none()
                  .with(
                      Models.CUSTOMER,
                      1,
                      row -> row.put("age", row.path("age").asLong() * 2).put("note", "upgraded")),
              Approval.Force.FORCE,
              Map.of());
      write(ledger, "after", RecordType.of(LaterCustomer.class), LaterCustomer.of("c9", 9));
    }
  },
  /** Ends a type, and its relations with it. */
  DROP {
    @Override
    void perform(Ledger ledger) {
      drop(ledger, Models.CUSTOMER);
    }
  },
  /** Puts a snapshot and what was committed later into one file. */
  COMPACTION {
    @Override
    void prepare(Ledger ledger) {
      super.prepare(ledger);
      perform(ledger);
      write(ledger, "later", RecordType.of(Customer.class), Customer.of("c3", 1));
    }

    @Override
    void perform(Ledger ledger) {
      ledger.flush();
      Compaction compaction = ledger.compaction();
      compaction.run(compaction.plan(CompactionScope.ALL), CompactionListener.none());
      if (!compaction.plan(CompactionScope.ALL).merges().isEmpty()) {
        throw new AssertionError("it is not compacted, though nobody else is there");
      }
    }
  },
  /** Ends a type that has no rows. */
  DROP_OF_AN_EMPTY_TYPE {
    @Override
    void prepare(Ledger ledger) {
      try (Session session = ledger.session(RecordType.of(Product.class))) {
        session.validate();
      }
    }

    @Override
    void perform(Ledger ledger) {
      drop(ledger, Models.PRODUCT);
    }
  },
  /** Ends a type, declares one of the same name and writes to it. */
  DROP_AND_DECLARE_AGAIN {
    @Override
    void perform(Ledger ledger) {
      if (ledger.log().head().orElseThrow() < 3) {
        drop(ledger, Models.CUSTOMER);
      }
      write(ledger, "again", RecordType.of(Customer.class), Customer.of("new", 1));
    }
  };

  /** Makes what the deed is done on; by a process that has ended by then. */
  void prepare(Ledger ledger) {
    writeThree(ledger, "before", 1);
    write(ledger, "before", RecordType.of(Customer.class), Customer.of("c2", 1));
  }

  /** Whether the process that does it has written before. */
  boolean isWarm() {
    return false;
  }

  /** What it wrote. */
  void warmUp(Ledger ledger) {
    writeThree(ledger, "warm", 7);
  }

  abstract void perform(Ledger ledger);

  static void writeThree(Ledger ledger, String why, long number) {
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c1", number)).ensure(Customer.of("new" + number, 1));
      session.ensure(Product.of("p" + number));
      session.ensure(Subscription.of("c1", "p1", number)).commit(Map.of("deed", why));
    }
  }

  private static void write(Ledger ledger, String why, RecordType<?> type, Record value) {
    try (Session session = ledger.session(type)) {
      session.ensure(value).commit(Map.of("deed", why));
    }
  }

  private static void writeAndTell(Ledger ledger, String why, RecordType<?> type, Record value) {
    ObjectNode document = CanonicalJson.object().put("id", why).put("text", "what others do");
    try (Session session = ledger.session(type)) {
      session
          .ensure(value)
          .commit(Map.of("deed", why), CommitCondition.none(), Outbox.of(List.of(document)));
    }
  }

  private static void drop(Ledger ledger, TypeId type) {
    if (ledger.schemas().current(type).isPresent()) {
      ledger
          .schemas()
          .drop(
              new DropRequest(type, Set.of(), Dependents.CASCADE, History.PURGE),
              Approval.Force.FORCE,
              Map.of());
    }
  }
}
