// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has tests wait for a condition for as long as only a hang takes. Awaitility gives up after ten
 * seconds otherwise, which a machine that is busy with other things takes for many a thing.
 */
public final class AwaitilityTimeout implements BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
  }
}
