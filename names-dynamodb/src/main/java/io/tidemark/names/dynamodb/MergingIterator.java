// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Two sorted sequences as one; what is in both is there once. */
final class MergingIterator implements Iterator<String> {
  private final Iterator<String> left;
  private final Iterator<String> right;
  private @Nullable String nextLeft;
  private @Nullable String nextRight;

  MergingIterator(Iterator<String> left, Iterator<String> right) {
    this.left = left;
    this.right = right;
  }

  @Override
  public boolean hasNext() {
    fill();
    return nextLeft != null || nextRight != null;
  }

  @Override
  public String next() {
    fill();
    String l = nextLeft;
    String r = nextRight;
    if (l != null && (r == null || l.compareTo(r) <= 0)) {
      nextLeft = null;
      nextRight = l.equals(r) ? null : r; // it changed its kind while we read
      return l;
    }
    if (r == null) {
      throw new NoSuchElementException();
    }
    nextRight = null;
    return r;
  }

  private void fill() {
    if (nextLeft == null && left.hasNext()) {
      nextLeft = left.next();
    }
    if (nextRight == null && right.hasNext()) {
      nextRight = right.next();
    }
  }
}
