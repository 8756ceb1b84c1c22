// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * Names one version of one object, as its store gave it.
 *
 * <p>Opaque: compare it, hand it back, nothing else. A store may derive it from the content (S3
 * does), so two versions of equal bytes may share one; a protocol that must tell them apart puts
 * something unique into the bytes.
 *
 * @param value the tag without the quotes that HTTP puts around it
 */
public record ETag(String value) {
  public ETag {
    if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
      value = value.substring(1, value.length() - 1);
    }
    if (value.isEmpty()) {
      throw new IllegalArgumentException("an ETag is never empty");
    }
  }

  /**
   * Written out, though it is that of any record: those that the compiler makes are linked when
   * they are first called, which takes every start of the command longer than what it compares.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ETag tag && value.equals(tag.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value;
  }
}
