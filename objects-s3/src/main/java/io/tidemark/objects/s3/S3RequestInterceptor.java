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

/** Interceptor that watches requests leave and answers arrive. */
final class S3RequestInterceptor implements ExecutionInterceptor {

  private static final ExecutionAttribute<Long> LEFT_AT =
      new ExecutionAttribute<>("TidemarkS3LeftAt");

  private final ServerClock clock;

  /** The last date: it is the same for all answers of a second, and slow to parse. */
  private volatile ParsedDate last = new ParsedDate("", Optional.empty());

  private record ParsedDate(String text, Optional<Instant> instant) {}

  S3RequestInterceptor(ServerClock clock) {
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
        .ifPresent(date -> clock.recordResponse(date, roundTrip));
  }

  private Optional<Instant> instant(String date) {
    ParsedDate parsedDate = last;
    if (!parsedDate.text().equals(date)) {
      parsedDate = new ParsedDate(date, parse(date));
      last = parsedDate;
    }
    return parsedDate.instant();
  }

  private static Optional<Instant> parse(String date) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty(); // only an estimate is lost
    }
  }
}
