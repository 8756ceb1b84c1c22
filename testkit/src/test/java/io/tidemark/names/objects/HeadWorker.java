// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.testkit.process.ParentLink;

/**
 * A process that moves the head and the index of a ledger without end, from where they are, each in
 * a thread of its own; at {@code t} they point to {@code c<t>} and {@code i<t>}.
 */
final class HeadWorker {
  static final Address ADDRESS = Address.parse("moving");

  private HeadWorker() {}

  /** Takes the place. */
  public static void main(String[] arguments) throws Exception {
    ParentLink parent = new ParentLink();
    NameService names = DirectoryFixture.parse(arguments).names(); // never closed: it is killed
    parent.awaitStart();
    new Thread(() -> commit(parent, names), "commits").start();
    new Thread(() -> index(parent, names), "indexes").start();
  }

  private static void commit(ParentLink parent, NameService names) {
    for (long t = 1 + names.find(ADDRESS).orElseThrow().commit().t(); ; t++) {
      names.ledgers().publishCommit(ADDRESS, Ref.of("c" + t, t));
      parent.printLine("c" + t);
    }
  }

  private static void index(ParentLink parent, NameService names) {
    for (long t = 1 + names.find(ADDRESS).orElseThrow().indexed().t(); ; t++) {
      names.ledgers().publishIndex(ADDRESS, Ref.of("i" + t, t));
      parent.printLine("i" + t);
    }
  }
}
