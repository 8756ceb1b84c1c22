// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.simple.SimpleServiceProvider;

class LoggingSetupTest {

  private static final String PROVIDER = "slf4j.provider";

  private @Nullable String before;

  @BeforeEach
  void forget() {
    before = System.clearProperty(PROVIDER);
  }

  @AfterEach
  void restore() {
    System.clearProperty(PROVIDER);
    if (before != null) {
      System.setProperty(PROVIDER, before);
    }
  }

  @Test
  void theLogIsChosenByNameSoThatNoJarIsSearched() {
    LoggingSetup.configure(new String[] {"list"});
    assertThat(System.getProperty(PROVIDER)).isEqualTo(SimpleServiceProvider.class.getName());
  }

  @Test
  void aServerHasItsOwnLogAndACallerMayChooseAnother() {
    LoggingSetup.configure(new String[] {"serve", "--port", "0"});
    assertThat(System.getProperty(PROVIDER)).isEqualTo(ServerLog.class.getName());

    LoggingSetup.configure(new String[] {"list"});
    assertThat(System.getProperty(PROVIDER)).isEqualTo(ServerLog.class.getName());
  }
}
