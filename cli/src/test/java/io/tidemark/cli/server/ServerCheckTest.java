// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which locations are those of servers. */
final class ServerCheckTest {

  @ParameterizedTest
  @ValueSource(strings = {"http://host:7700", "HTTPS://host", "https://host/below?insecure=true"})
  void aServerIsOne(String location) {
    assertThat(ServerCheck.isFor(location)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"httpd-data", "http", "./http://x", "s3://http/prefix", "file:///http"})
  void aPlaceThatIsCalledSoIsNone(String location) {
    assertThat(ServerCheck.isFor(location)).isFalse();
  }
}
