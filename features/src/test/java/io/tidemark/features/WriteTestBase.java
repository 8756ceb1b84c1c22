// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.RowResult.Conflict;
import io.tidemark.features.write.RowResult.Created;
import io.tidemark.features.write.RowResult.Deleted;
import io.tidemark.features.write.RowResult.Purged;
import io.tidemark.features.write.RowResult.Updated;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the tests of writing from Java share: a storage, and somebody with plain SQL on it. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WriteTestBase {

  TestStorage storage;
  Psql psql;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  static Feature feature(String id, String tag) {
    return Feature.parse(
        """
        {"type": "Feature", "id": "%s", "geometry": {"type": "Point", "coordinates": [5, 6, 2]},
         "properties": {"n": 1.50, "@ns:com:here:xyz": {"tags": ["%s"]}}}
        """
            .formatted(id, tag));
  }

  final List<RowResult> write(String collection, Write... writes) {
    return storage.features.transact(ALICE, tx -> tx.write(collection, List.of(writes))).rows();
  }

  final String withTheFeature() {
    String foo = storage.create(CollectionOptions.none());
    assertThat(write(foo, Write.create(feature("TheFeature", "one"))).get(0))
        .isInstanceOf(Created.class);
    return foo;
  }

  static XyzNamespace xyz(RowResult row) {
    Optional<Feature> state =
        switch (row.getClass().getSimpleName()) {
          case "Created" -> Optional.of(((Created) row).state());
          case "Updated" -> Optional.of(((Updated) row).state());
          case "Deleted" -> ((Deleted) row).state();
          case "Purged" -> ((Purged) row).state();
          default -> ((Conflict) row).actual();
        };
    return state.flatMap(Feature::xyz).orElseThrow();
  }
}
