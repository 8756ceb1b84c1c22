// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a collection is measured for, and what the maintainer tells of it. */
class FeatureCareVerbsTest extends FeaturesVerbs {

  private static final String POINT =
      "{\"type\":\"Feature\",\"id\":\"a\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}";

  @Test
  void optimalPartitioningIsSwitchedOnAndOff() {
    assertThat(done("collection", "create", "points", "--one-table")).doesNotContain("partitioning");
    assertThat(done("collection", "update", "points", "--optimal-partitioning", "on"))
        .contains("partitioning      counted by place");
    assertThat(done("collection", "update", "points", "--optimal-partitioning", "off", "--json"))
        .contains("\"optimalPartitioning\":false");
  }
}
