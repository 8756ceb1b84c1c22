// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A process that is killed loses nothing that it wrote to the page cache; the kernel keeps it. The
 * usual durability is killed in each build, this one in a soak.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
class PageCacheDirectoryCrashTest extends DirectoryCrashTest {

  @Override
  protected String location() {
    return root.toUri() + "?durability=page-cache";
  }
}
