// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Watches requests leave and answers arrive. */
final class S3Wire implements ExecutionInterceptor {

  private static final ExecutionAttribute<Long> LEFT_AT =
      new ExecutionAttribute<>("TidemarkS3LeftAt");

  private final ServerClock clock;

  /** The last date: it is the same for all answers of a second, and slow to parse. */
  private volatile Dated last = new Dated("", Optional.empty());

  private record Dated(String text, Optional<Instant> instant) {}

  S3Wire(ServerClock clock) {
    this.clock = clock;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    attributes.putAttribute(LEFT_AT, System.nanoTime());
    S3Call call = attributes.getAttribute(S3Call.ATTRIBUTE);
    if (call != null) {
      call.markSent();
    }
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    Duration roundTrip = Duration.ofNanos(System.nanoTime() - attributes.getAttribute(LEFT_AT));
    context
        .httpResponse()
        .firstMatchingHeader("Date")
        .flatMap(this::instant)
        .ifPresent(date -> clock.answered(date, roundTrip));
  }

  private Optional<Instant> instant(String date) {
    Dated dated = last;
    if (!dated.text().equals(date)) {
      dated = new Dated(date, parse(date));
      last = dated;
    }
    return dated.instant();
  }

  private static Optional<Instant> parse(String date) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty(); // only an estimate is lost
    }
  }
}
