// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

/** State that a feature must be in to be written. */
public sealed interface ExpectedState {

  /** Any state, or none. */
  record Any() implements ExpectedState {}

  /** No state: the feature doesn't exist. */
  record Absent() implements ExpectedState {}

  /** Any state of a feature that exists. */
  record Present() implements ExpectedState {}

  /** One state, by its uuid. */
  record Uuid(String uuid) implements ExpectedState {}

  /** Returns the expectation of any state, or none. */
  static ExpectedState any() {
    return new Any();
  }

  /** Returns the expectation that the feature doesn't exist. */
  static ExpectedState absent() {
    return new Absent();
  }

  /** Returns the expectation that the feature exists. */
  static ExpectedState present() {
    return new Present();
  }

  /** Returns the expectation of one state, by its uuid. */
  static ExpectedState uuid(String uuid) {
    return new Uuid(uuid);
  }
}
