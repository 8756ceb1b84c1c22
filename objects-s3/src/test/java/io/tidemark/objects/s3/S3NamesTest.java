// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.names.NameBackend;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NameStoreContract;
import io.tidemark.testkit.names.NamesContractScale;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.time.Clock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The nameservice on S3: all of it in the usual layout, and in the soak run what depends on the
 * store in the others, which are run as a whole in memory and in a directory.
 */
@ExtendWith(ServerExtension.class)
class S3NamesTest {

  private static ObjectNameBackend open(S3Bucket bucket, DocumentLayout documentLayout) {
    ObjectStore store = new ObjectStore(TestStore.open(bucket), Retry.standard());
    return new ObjectNameBackend(store, documentLayout, Retry.standard(), Clock.systemUTC());
  }

  @Nested
  class LayoutB extends NameServiceContract {
    private final S3Bucket bucket;

    LayoutB(S3Server server) {
      this.bucket = server.createBucket();
    }

    @Override
    protected NameBackend open() {
      return S3NamesTest.open(bucket, DocumentLayout.B);
    }

    @Override
    protected NamesContractScale scale() {
      return NamesContractScale.slow();
    }
  }

  /** Another layout. */
  abstract static class OtherLayout extends NameStoreContract {
    private final S3Bucket bucket;
    private final DocumentLayout documentLayout;

    OtherLayout(S3Server server, DocumentLayout documentLayout) {
      this.bucket = server.createBucket();
      this.documentLayout = documentLayout;
    }

    @Override
    protected NameBackend open() {
      return S3NamesTest.open(bucket, documentLayout);
    }

    @Override
    protected NamesContractScale scale() {
      return new NamesContractScale(3, 3, 30, 300);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  class LayoutA extends OtherLayout {
    LayoutA(S3Server server) {
      super(server, DocumentLayout.A);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  class LayoutC extends OtherLayout {
    LayoutC(S3Server server) {
      super(server, DocumentLayout.C);
    }
  }
}
