// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/**
 * Numbers of transactions and names of tables tell the day, in UTC, and many a test says which it
 * is. One that would not end on the day it begins waits for the next. What happens at midnight is
 * tested with numbers that say so.
 *
 * <p>JUnit finds it by itself, for every test here.
 */
public final class MidnightGuard implements TestInstancePreConstructCallback {

  /** Longer than the tests of a class take. */
  private static final Duration FAR = Duration.ofMinutes(1);

  @Override
  public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext test) {
    while (left().compareTo(FAR) < 0) {
      LockSupport.parkNanos(left().plusMillis(1).toNanos());
    }
  }

  private static Duration left() {
    return Duration.between(LocalTime.now(ZoneOffset.UTC), LocalTime.MAX);
  }
}
