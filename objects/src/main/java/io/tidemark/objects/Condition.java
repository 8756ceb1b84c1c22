// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

/** What must hold of an object for a write or a delete to take place. */
public sealed interface Condition {

  /** Whatever is there is replaced. */
  static Condition none() {
    return Always.ALWAYS;
  }

  /** Nothing may be there. */
  static Condition ifAbsent() {
    return IfAbsent.IF_ABSENT;
  }

  /** Exactly this version must be there. */
  static Condition ifMatch(ETag expected) {
    return new IfMatch(expected);
  }

  /** See {@link Condition#none()}. */
  enum Always implements Condition {
    ALWAYS
  }

  /** See {@link Condition#ifAbsent()}. */
  enum IfAbsent implements Condition {
    IF_ABSENT
  }

  /** See {@link Condition#ifMatch(ETag)}. */
  record IfMatch(ETag expected) implements Condition {}
}
