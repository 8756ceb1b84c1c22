// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackendProvider;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.Set;

/** Opens the nameservice in a directory or on S3, in the usual layout. */
public final class ObjectNameBackendProvider implements NameBackendProvider {

  @Override
  public Set<String> schemes() {
    return Set.of("file", "s3");
  }

  @Override
  public NameBackend open(String location) {
    ObjectStore store = ObjectStore.open(location);
    return new ObjectNameBackend(store, Layout.B, Retry.standard(), Clock.systemUTC());
  }
}
