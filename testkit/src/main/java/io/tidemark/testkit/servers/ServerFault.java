// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.time.Duration;

/**
 * What goes wrong with one request.
 *
 * @param when on which side of the moment the request takes effect
 * @param effect what happens there
 */
public record ServerFault(When when, Effect effect) {

  /** On which side of the moment a request takes effect something happens. */
  public enum When {
    /** Before; a request that then gets no further has changed nothing. */
    BEFORE_APPLYING,
    /** After, when the change is made and the answer isn't sent. */
    AFTER_APPLYING
  }

  /** What happens. */
  public sealed interface Effect {
    /** The connection is closed without an answer. */
    record Cut() implements Effect {}

    /** An error is answered instead. */
    record Answer(int status, String code) implements Effect {}

    /** It goes on once the gate is open. */
    record Hold(ServerRequestLatch gate) implements Effect {}

    /** It goes on after a time; for clients that shall run into their own time limit. */
    record Delay(Duration time) implements Effect {}
  }

  /** The request is applied, and its answer lost with the connection. */
  public static final ServerFault LOSE_RESPONSE =
      new ServerFault(When.AFTER_APPLYING, new Effect.Cut());

  /** The connection breaks and the request is not applied. */
  public static final ServerFault FAIL_BEFORE =
      new ServerFault(When.BEFORE_APPLYING, new Effect.Cut());

  /** What S3 answers when conditional writes collide; not applied. */
  public static final ServerFault CONFLICT = answer(409, "ConditionalRequestConflict");

  /** Answered as though the condition didn't hold; not applied. */
  public static final ServerFault PRECONDITION_FAILED = answer(412, "PreconditionFailed");

  /** Throttled; not applied. */
  public static final ServerFault TOO_MANY_REQUESTS = answer(429, "TooManyRequests");

  /** The server failed before it did anything. */
  public static final ServerFault INTERNAL_ERROR = answer(500, "InternalError");

  /** The server failed after it had applied the request. */
  public static final ServerFault INTERNAL_ERROR_AFTER_APPLYING =
      new ServerFault(When.AFTER_APPLYING, new Effect.Answer(500, "InternalError"));

  /** Throttled as S3 does it; not applied. */
  public static final ServerFault SLOW_DOWN = answer(503, "SlowDown");

  /** An error that is answered to a request that is not applied. */
  public static ServerFault answer(int status, String code) {
    return new ServerFault(When.BEFORE_APPLYING, new Effect.Answer(status, code));
  }

  /** The request waits at the gate before it is applied. */
  public static ServerFault holdBefore(ServerRequestLatch serverRequestLatch) {
    return new ServerFault(When.BEFORE_APPLYING, new Effect.Hold(serverRequestLatch));
  }

  /** The request is applied, and its answer waits at the gate. */
  public static ServerFault holdAfter(ServerRequestLatch serverRequestLatch) {
    return new ServerFault(When.AFTER_APPLYING, new Effect.Hold(serverRequestLatch));
  }

  /** The request is applied after the given time. */
  public static ServerFault delayBefore(Duration time) {
    return new ServerFault(When.BEFORE_APPLYING, new Effect.Delay(time));
  }

  /** The request is applied at once and answered after the given time. */
  public static ServerFault delayAfter(Duration time) {
    return new ServerFault(When.AFTER_APPLYING, new Effect.Delay(time));
  }
}
