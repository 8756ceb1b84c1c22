// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.Tidemark;
import io.tidemark.api.features.FeatureService;
import io.tidemark.server.RunningServer;
import io.tidemark.testkit.features.FeatureCollectionContract;
import io.tidemark.testkit.features.FeatureLogContract;
import io.tidemark.testkit.features.FeatureQueryContract;
import io.tidemark.testkit.features.FeatureTransferContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** The service of features of a server, by its client. */
class HttpFeatureServiceTest extends FeatureRoutesFixture {

  private Tidemark tidemark;

  /** Returns the server that is asked. */
  RunningServer asked() {
    return server;
  }

  @BeforeEach
  void connect() {
    tidemark = Tidemark.open(asked().uri("").toString());
  }

  @AfterEach
  void disconnect() {
    tidemark.close();
  }

  @Nested
  class Collections extends FeatureCollectionContract {
    @Override
    protected FeatureService service() {
      return tidemark.features();
    }
  }

  @Nested
  class Queries extends FeatureQueryContract {
    @Override
    protected FeatureService service() {
      return tidemark.features();
    }
  }

  @Nested
  class Transfer extends FeatureTransferContract {
    @Override
    protected FeatureService service() {
      return tidemark.features();
    }
  }

  @Nested
  class Log extends FeatureLogContract {
    @Override
    protected FeatureService service() {
      return tidemark.features();
    }
  }
}
