// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

/** A process that is killed loses nothing that it wrote to the page cache; the kernel keeps it. */
class PageCacheDirectoryCrashTest extends DirectoryCrashTest {

  @Override
  protected String location() {
    return root.toUri() + "?durability=page-cache";
  }
}
