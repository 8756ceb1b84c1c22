// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.features.write.Write;

/** What is done with features, in this order. */
enum WriteKind {
  INSERT,
  UPDATE,
  UPSERT,
  DELETE;

  Write write(SampleFeature sampleFeature) {
    return switch (this) {
      case INSERT -> Write.create(sampleFeature.feature());
      case UPDATE -> Write.update(sampleFeature.feature());
      case UPSERT -> Write.upsert(sampleFeature.feature());
      case DELETE -> Write.delete(sampleFeature.id());
    };
  }
}
