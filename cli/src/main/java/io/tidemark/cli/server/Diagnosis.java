// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Finding of a check.
 *
 * @param what subject of the check
 * @param verdict its state
 * @param detail details of the finding
 * @param remedy what to do; empty when nothing is wrong
 */
record Diagnosis(String what, Verdict verdict, String detail, String remedy) {

  enum Verdict {
    OK,
    WARNING,
    FAILURE
  }

  /** Maximum clock skew before leases and events suffer; see {@code --max-skew}. */
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

  /** Runs a check; an exception counts as a failed check. */
  static Diagnosis of(String what, String remedy, Supplier<Diagnosis> look) {
    try {
      return look.get();
    } catch (TidemarkException e) {
      return failure(what, String.valueOf(e.getMessage()), remedy);
    }
  }

  /** Returns a finding on the skew of another clock. */
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
