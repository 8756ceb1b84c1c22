// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a collection is measured for, and what the maintainer tells of it. */
class FeatureMaintenanceCommandsTest extends FeatureCommandFixture {

  private static final String POINT =
      "{\"type\":\"Feature\",\"id\":\"a\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}";

  @Test
  void optimalPartitioningIsSwitchedOnAndOff() {
    assertThat(done("collection", "create", "points", "--one-table"))
        .doesNotContain("partitioning");
    assertThat(done("collection", "update", "points", "--optimal-partitioning", "on"))
        .contains("partitioning      counted by place");
    assertThat(done("collection", "update", "points", "--optimal-partitioning", "off", "--json"))
        .contains("\"optimalPartitioning\":false");
  }

  @Test
  void whatWasMeasuredIsTold() throws IOException {
    done("collection", "create", "points", "--one-table", "--optimal-partitioning", "on");
    done("put", "points", file("a.geojson", POINT));

    assertThat(done("maintain"))
        .containsPattern(
            "points +measured +points +features: 1, of up to \\d+ bytes as text and \\d+ as stored;"
                + " parts by place: 1")
        .doesNotContain("nothing was due");
    assertThat(done("maintain", "--json"))
        .containsPattern(
            "\"name\":\"points\",\"steps\":\\[\\],\"statistics\":\\{\"features\":1,\"byteSize\":\\d+,"
                + "\"compressedSize\":\\d+,\"by_qrid\":\\{\"\\d*\":1\\}\\},\"failure\":null");
  }
}
