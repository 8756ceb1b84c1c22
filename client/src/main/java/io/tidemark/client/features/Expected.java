// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

/** In which state a feature is to be when it is written. */
public sealed interface Expected {

  /** In any, or not there at all. */
  record Anything() implements Expected {}

  /** Not there. */
  record Absence() implements Expected {}

  /** In the state with this uuid. */
  record State(String uuid) implements Expected {}
}
