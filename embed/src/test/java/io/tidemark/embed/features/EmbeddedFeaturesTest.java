// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import io.tidemark.api.features.FeatureService;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.testkit.features.FeatureCollectionContract;
import io.tidemark.testkit.features.FeatureLogContract;
import io.tidemark.testkit.features.FeatureQueryContract;
import io.tidemark.testkit.features.FeatureTransferContract;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service of features in process. */
@ExtendWith(ServerExtension.class)
class EmbeddedFeaturesTest {

  private static EmbeddedFeatures features;

  @BeforeAll
  static void open(PostgresServer postgres) {
    features =
        EmbeddedFeatures.open(postgres.createDatabase(), "store", FeaturesOptions.defaults());
  }

  @AfterAll
  static void close() {
    features.close();
  }

  @Nested
  class Collections extends FeatureCollectionContract {
    @Override
    protected FeatureService service() {
      return features;
    }
  }

  @Nested
  class Queries extends FeatureQueryContract {
    @Override
    protected FeatureService service() {
      return features;
    }
  }

  @Nested
  class Transfer extends FeatureTransferContract {
    @Override
    protected FeatureService service() {
      return features;
    }
  }

  @Nested
  class Log extends FeatureLogContract {
    @Override
    protected FeatureService service() {
      return features;
    }
  }
}
