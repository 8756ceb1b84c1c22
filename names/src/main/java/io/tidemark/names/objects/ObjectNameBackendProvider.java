// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackendProvider;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.Set;

/**
 * Provider that opens the nameservice in a directory or on S3; with {@code ?layout=A} or {@code C},
 * new records are laid out otherwise than usual.
 */
public final class ObjectNameBackendProvider implements NameBackendProvider {

  @Override
  public Set<String> schemes() {
    return Set.of("file", "s3");
  }

  @Override
  public NameBackend open(String location) {
    LayoutSetting setting = LayoutSetting.in(location);
    ObjectStore store = ObjectStore.open(setting.store());
    return new ObjectNameBackend(store, setting.layout(), Retry.standard(), Clock.systemUTC());
  }
}
