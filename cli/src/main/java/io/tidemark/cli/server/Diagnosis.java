// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What was found about one thing.
 *
 * @param what the thing
 * @param verdict how it is
 * @param detail what was found
 * @param remedy what to do; empty when it is well
 */
record Diagnosis(String what, Verdict verdict, String detail, String remedy) {

  enum Verdict {
    OK,
    WARNING,
    FAILURE
  }

  /** How far clocks may differ before leases and events suffer; see {@code --max-skew}. */
  private static final Duration TOO_FAR = Duration.ofSeconds(30);

  private static final Duration FAR = Duration.ofSeconds(5);

  static Diagnosis ok(String what, String detail) {
    return new Diagnosis(what, Verdict.OK, detail, "");
  }

  static Diagnosis warning(String what, String detail, String remedy) {
    return new Diagnosis(what, Verdict.WARNING, detail, remedy);
  }

  static Diagnosis failure(String what, String detail, String remedy) {
    return new Diagnosis(what, Verdict.FAILURE, detail, remedy);
  }

  /** Looks at something; that it can't be looked at is a failure too. */
  static Diagnosis of(String what, String remedy, Supplier<Diagnosis> look) {
    try {
      return look.get();
    } catch (TidemarkException e) {
      return failure(what, String.valueOf(e.getMessage()), remedy);
    }
  }

  /** How far another clock is from this one. */
  static Diagnosis clock(String what, Duration ahead) {
    Duration distance = ahead.abs();
    String detail =
        distance.toMillis()
            + " ms "
            + (ahead.isNegative() ? "behind" : "ahead of")
            + " this machine";
    String remedy = "synchronise the clocks, as with NTP";
    if (distance.compareTo(TOO_FAR) > 0) {
      return failure(what, detail, remedy);
    }
    return distance.compareTo(FAR) > 0 ? warning(what, detail, remedy) : ok(what, detail);
  }
}
