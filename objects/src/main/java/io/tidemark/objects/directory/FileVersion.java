// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.ETag;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One version of a file: when it was written, which its writer makes later than the version before,
 * and how long it is.
 */
record FileVersion(long stampMicros, long size) {

  static FileVersion of(BasicFileAttributes attributes) {
    return new FileVersion(
        attributes.lastModifiedTime().to(TimeUnit.MICROSECONDS), attributes.size());
  }

  ETag etag() {
    return new ETag(Long.toHexString(stampMicros) + "-" + Long.toHexString(size));
  }

  Instant lastModified() {
    return fileTime(stampMicros).toInstant();
  }

  /** Written out, as in {@link ETag}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileVersion fileVersion
        && stampMicros == fileVersion.stampMicros
        && size == fileVersion.size;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(stampMicros) * 31 + Long.hashCode(size);
  }

  static FileTime fileTime(long stampMicros) {
    return FileTime.from(stampMicros, TimeUnit.MICROSECONDS);
  }
}
