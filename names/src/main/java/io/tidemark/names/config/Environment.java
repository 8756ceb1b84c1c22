// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import java.util.Optional;

/** Source of values that a document refers to but doesn't contain. */
public interface Environment {

  /** Returns an environment variable; empty when it isn't set. */
  Optional<String> variable(String name);

  /** Returns a system property of Java; empty when it isn't set. */
  Optional<String> property(String name);

  /** Returns the environment of this process. */
  static Environment ofProcess() {
    return new Environment() {
      @Override
      public Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name));
      }

      @Override
      public Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name));
      }
    };
  }
}
