// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.TidemarkProvider;
import java.util.regex.Pattern;

/** Provider that opens every location but that of a server. */
public final class EmbeddedTidemarkProvider implements TidemarkProvider {

  private static final Pattern SERVER = Pattern.compile("(?is)https?://.*");

  @Override
  public boolean opens(String location) {
    return !SERVER.matcher(location).matches();
  }

  @Override
  public Tidemark open(OpenOptions options) {
    return EmbeddedTidemark.open(options);
  }
}
