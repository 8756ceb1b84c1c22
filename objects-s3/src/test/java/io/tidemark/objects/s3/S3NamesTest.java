// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.names.NameBackend;
import io.tidemark.names.objects.Layout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesScale;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.Servers;
import java.time.Clock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The nameservice on S3, in each layout; most of all in the usual one. */
@ExtendWith(Servers.class)
class S3NamesTest {

  /** One layout. */
  abstract static class OnS3 extends NameServiceContract {
    private final Layout layout;
    private final NamesScale scale;
    private final S3Bucket bucket;

    OnS3(S3Server server, Layout layout, NamesScale scale) {
      this.bucket = server.createBucket();
      this.layout = layout;
      this.scale = scale;
    }

    @Override
    protected NameBackend open() {
      ObjectStore store = new ObjectStore(TestStore.open(bucket), Retry.standard());
      return new ObjectNameBackend(store, layout, Retry.standard(), Clock.systemUTC());
    }

    @Override
    protected NamesScale scale() {
      return scale;
    }
  }

  private static NamesScale small() {
    return new NamesScale(3, 3, 30, 300);
  }

  @Nested
  class LayoutA extends OnS3 {
    LayoutA(S3Server server) {
      super(server, Layout.A, small());
    }
  }

  @Nested
  class LayoutB extends OnS3 {
    LayoutB(S3Server server) {
      super(server, Layout.B, NamesScale.slow());
    }
  }

  @Nested
  class LayoutC extends OnS3 {
    LayoutC(S3Server server) {
      super(server, Layout.C, small());
    }
  }
}
