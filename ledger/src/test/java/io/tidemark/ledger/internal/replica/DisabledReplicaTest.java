// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.duckdb.DataFileCache;
import io.tidemark.ledger.internal.duckdb.TypeFileCache;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica.LoadPolicy;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A query that finds a replica useless doesn't take it from those who are reading it. */
class DisabledReplicaTest {

  private static final int ROWS = 10_000;
  private static final String PREFIX = "ledger/";

  @TempDir private Path cache;

  @Entity
  record Thing(@Key String id, long n) {}

  private static void commitThings(ObjectStore store) {
    new LedgerInitializer(store, PREFIX).init();
    try (Ledger ledger = Ledger.open(store, PREFIX, LedgerOptions.standard());
        Session session = ledger.session(RecordType.of(Thing.class))) {
      List<Record> things = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        things.add(new Thing("t" + i, i));
      }
      session.ensure(things).commit();
    }
  }

  private List<Path> databases() throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(file -> file.toString().contains(".duckdb")).toList();
    }
  }

  @Test
  void whoeverReadsItReadsOnAndNothingOfItIsLeft() throws SQLException, IOException {
    try (ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard())) {
      commitThings(store);
      LedgerObjects objects = new LedgerObjects(store, PREFIX);
      ManifestChain manifestChain = new ManifestChain(objects);
      PinnedHead pinnedHead = new HeadCache(objects, manifestChain).refresh();
      TypeFileCache known = new TypeFileCache(objects, manifestChain);
      List<TypeView> types = List.of(TypeView.of(RecordType.of(Thing.class).schema(), 1));
      DataFileCache files = new DataFileCache(objects, cache.resolve("files"), 1 << 30);
      try (Replica replica =
          new Replica(
              new Replica.ReplicaSettings(cache.resolve("replicas"), "256MB"),
              objects,
              manifestChain,
              known,
              files)) {
        Replica.LoadedRows loadedRows =
            replica.at(types, pinnedHead, LoadPolicy.EVERY_TYPE).orElseThrow();
        try (Connection reader = loadedRows.database().connect();
            Statement statement = reader.createStatement();
            ResultSet rows = statement.executeQuery("SELECT n FROM versions_1 ORDER BY n")) {
          assertThat(rows.next()).isTrue();

          replica.disable(new SQLException("found to be damaged"));

          long count = 1;
          while (rows.next()) {
            count++;
          }
          assertThat(count).isEqualTo(ROWS);
          assertThat(databases()).isEmpty();
          assertThat(replica.at(types, pinnedHead, LoadPolicy.EVERY_TYPE)).isEmpty();
        }
      }
      assertThat(databases()).isEmpty();
    }
  }
}
