// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackendProvider;
import java.util.Set;

/** Provider that opens locations like {@code dynamodb://table?region=eu-central-1}. */
public final class DynamoDbNameBackendProvider implements NameBackendProvider {

  @Override
  public Set<String> schemes() {
    return Set.of("dynamodb");
  }

  @Override
  public NameBackend open(String location) {
    return new DynamoDbNameBackend(DynamoDbSettings.parse(location));
  }
}
