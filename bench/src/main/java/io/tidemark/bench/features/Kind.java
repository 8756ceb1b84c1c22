// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.features.write.Write;

/** What is done with features, in this order. */
enum Kind {
  INSERT,
  UPDATE,
  UPSERT,
  DELETE;

  Write write(Sample sample) {
    return switch (this) {
      case INSERT -> Write.create(sample.feature());
      case UPDATE -> Write.update(sample.feature());
      case UPSERT -> Write.upsert(sample.feature());
      case DELETE -> Write.delete(sample.id());
    };
  }
}
