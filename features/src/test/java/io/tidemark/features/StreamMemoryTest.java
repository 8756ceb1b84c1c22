// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collection that doesn't fit into memory is streamed and exported: the child has 32 MB of it.
 */
@ExtendWith(ServerExtension.class)
class StreamMemoryTest {

  private static final int HEAP = 32;
  private static final long BYTES = ((5L * HEAP) << 20) / 4;

  /** Asks for all of a collection, and exports it. */
  public static void main(String[] arguments) {
    try (Features features = Features.open(arguments[0], "store")) {
      FeatureQuery all = FeatureQuery.from(arguments[1]).build();
      AtomicLong text = new AtomicLong();
      long count =
          features.read(
              r ->
                  r.each(
                      all,
                      feature ->
                          text.addAndGet(
                              feature.data().path("properties").path("p").textValue().length())));
      System.out.println(count + " with " + text);
      features
          .bulk()
          .export(arguments[1], CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ))
          .to(Path.of(arguments[2]), rows -> {});
    }
  }

  private static void insert(Psql psql, String collection, String prefix, int size, long count)
      throws SQLException {
    psql.as(
        "a",
        "b",
        ("INSERT INTO %s (jsondata) SELECT jsonb_build_object('id', '%s' || n, 'properties',"
                + " jsonb_build_object('p', repeat('x', %d))) FROM generate_series(1, %d) AS n")
            .formatted(collection, prefix, size, count));
  }

  /**
   * A thousand of the large ones at a time would be too much, and one of the small ones slow; and
   * nobody knows when the large ones come.
   */
  @Test
  void largeFeaturesAndManyAreStreamed(PostgresServer server, @TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("all.geojsonl");
    int large = 512 << 10;
    int small = 4 << 10;
    long count = BYTES / large;
    try (TestStorage storage = TestStorage.in(server)) {
      String c = storage.small();
      insert(storage.psql, c, "small", small, 10 * count);
      insert(storage.psql, c, "large", large, count);
      try (ChildJvm child =
          ChildJvm.startWithHeap(HEAP, StreamMemoryTest.class, storage.url, c, file.toString())) {
        assertThat(child.linesToEnd())
            .containsExactly(11 * count + " with " + (count * large + 10 * count * small));
      }
    }
    assertThat(Files.size(file)).isGreaterThan(BYTES);
  }
}
