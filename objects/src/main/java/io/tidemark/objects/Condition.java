// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.util.Optional;

/** Condition that an object must meet for a write to take place. */
public sealed interface Condition {

  /**
   * Returns whether the condition holds.
   *
   * @param current the version that is there, empty when there is none
   */
  boolean holds(Optional<ETag> current);

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

  /** Exactly this version must be there; nothing when it is empty. */
  static Condition unchanged(Optional<ETag> expected) {
    return expected.map(Condition::ifMatch).orElseGet(Condition::ifAbsent);
  }

  /** See {@link Condition#none()}. */
  enum Always implements Condition {
    ALWAYS;

    @Override
    public boolean holds(Optional<ETag> current) {
      return true;
    }

    @Override
    public String toString() {
      return "anything";
    }
  }

  /** See {@link Condition#ifAbsent()}. */
  enum IfAbsent implements Condition {
    IF_ABSENT;

    @Override
    public boolean holds(Optional<ETag> current) {
      return current.isEmpty();
    }

    @Override
    public String toString() {
      return "nothing";
    }
  }

  /** See {@link Condition#ifMatch(ETag)}. */
  record IfMatch(ETag expected) implements Condition {
    @Override
    public boolean holds(Optional<ETag> current) {
      return current.equals(Optional.of(expected));
    }

    @Override
    public String toString() {
      return "version " + expected;
    }
  }
}
