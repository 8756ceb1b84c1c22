// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
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
record LedgerDump(List<String> commits, List<String> rows, List<String> types) {

  static LedgerDump of(ObjectStore store) {
    LedgerObjects objects = new LedgerObjects(store, "");
    ManifestChain manifestChain = new ManifestChain(objects);
    PinnedHead pinnedHead = new HeadCache(objects, manifestChain).refresh();
    Catalog catalog = new Catalog(objects, manifestChain);
    List<String> types = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    for (TypeId type : Models.TYPES) {
      String listed = catalog.types().contains(type) ? " listed " : " not listed ";
      catalog
          .history(type, pinnedHead)
          .forEach(version -> types.add(type + listed + version.id() + " " + version.hash()));
      new LatestRows(objects, manifestChain)
          .history(
              type, pinnedHead, 0, pinnedHead.head().commitId(), row -> rows.add(type + " " + row));
    }
    return new LedgerDump(commits(objects, manifestChain, pinnedHead), rows, types);
  }

  private static List<String> commits(
      LedgerObjects objects, ManifestChain manifestChain, PinnedHead pinnedHead) {
    List<String> commits = new ArrayList<>();
    for (var next = pinnedHead.head().tip();
        next.isPresent();
        next = before(manifestChain, next.get())) {
      Commit commit =
          Commit.of(new CommittedManifest(manifestChain.at(next.get()), next.get().path()));
      List<JsonNode> outbox = Manifest.outbox(objects, commit.path());
      List<String> files =
          commit.files().stream().map(file -> file.type() + ":" + file.rowCount()).toList();
      commits.add(0, commit.id() + " " + commit.metadata() + " " + files + " " + outbox);
    }
    return commits;
  }

  private static Optional<Link> before(ManifestChain manifestChain, Link commit) {
    Manifest manifest = manifestChain.at(commit);
    return manifestChain.parent(manifest).flatMap(parent -> manifest.parent());
  }
}
