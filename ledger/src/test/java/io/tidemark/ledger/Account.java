// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that a ledger has to tell, as somebody finds it who has never seen it before: every commit,
 * every version of every row, every type, and what commits carry for others. What differs from one
 * run to the next, such as times and the names of attempts, is left out, so that two runs can be
 * compared.
 */
record Account(List<String> commits, List<String> rows, List<String> types) {

  static Account of(ObjectStore store) {
    LedgerObjects objects = new LedgerObjects(store, "");
    Chain chain = new Chain(objects);
    Base base = new Heads(objects, chain).refresh();
    Catalog catalog = new Catalog(objects, chain);
    List<String> types = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    for (TypeId type : Models.TYPES) {
      String listed = catalog.types().contains(type) ? " listed " : " not listed ";
      catalog
          .history(type, base)
          .forEach(version -> types.add(type + listed + version.id() + " " + version.hash()));
      new LatestRows(objects, chain)
          .history(type, base, 0, base.head().commitId(), row -> rows.add(type + " " + row));
    }
    return new Account(commits(objects, chain, base), rows, types);
  }

  private static List<String> commits(LedgerObjects objects, Chain chain, Base base) {
    List<String> commits = new ArrayList<>();
    for (var next = base.head().tip(); next.isPresent(); next = before(chain, next.get())) {
      Commit commit = Commit.of(new Committed(chain.at(next.get()), next.get().path()));
      List<JsonNode> outbox = Manifest.outbox(objects, commit.path());
      List<String> files =
          commit.files().stream().map(file -> file.type() + ":" + file.rowCount()).toList();
      commits.add(0, commit.id() + " " + commit.metadata() + " " + files + " " + outbox);
    }
    return commits;
  }

  private static Optional<Link> before(Chain chain, Link commit) {
    Manifest manifest = chain.at(commit);
    return chain.parent(manifest).flatMap(parent -> manifest.parent());
  }
}
