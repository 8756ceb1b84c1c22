// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.Answer;
import io.tidemark.client.Request;
import io.tidemark.server.http.Follower;
import io.tidemark.server.http.Visitor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Somebody who waits here for changes of another server's features; holds no thread meanwhile. */
final class UpstreamChanges extends Follower {

  /** How long the other server is to wait for one who follows a stream. */
  private static final Duration BEAT = Duration.ofSeconds(10);

  private enum Form {
    STREAM,
    POLL
  }

  private final ForwardedFeatures from;
  private final Form form;
  private final Request request;
  private final Duration wait;
  private long position;
  private boolean greeted;
  private byte[] last = new byte[0];

  // What was asked, and what came of it.
  private boolean asking;
  private Optional<Answer> came = Optional.empty();
  private boolean failed;

  private UpstreamChanges(
      Visitor visitor,
      ForwardedFeatures from,
      Form form,
      Request request,
      long after,
      Duration wait) {
    super(from.hub(), visitor);
    this.from = from;
    this.form = form;
    this.request = request;
    this.position = after;
    this.wait = wait;
  }

  static UpstreamChanges stream(
      Visitor visitor, ForwardedFeatures from, Request request, long after) {
    return new UpstreamChanges(visitor, from, Form.STREAM, request, after, BEAT);
  }

  static UpstreamChanges poll(
      Visitor visitor, ForwardedFeatures from, Request request, long after, Duration wait) {
    UpstreamChanges poll = new UpstreamChanges(visitor, from, Form.POLL, request, after, wait);
    poll.last = "{\"items\":[],\"after\":%d}".formatted(after).getBytes(UTF_8);
    return poll;
  }

  /** A request for what has a number above one. */
  static Request after(Request plain, long number) {
    return plain.query("after", Long.toString(number));
  }

  @Override
  protected Action process() {
    if (hasFailed() || isEnding()) {
      return Action.SUCCEEDED; // who is told nothing asks again, and is told why
    }
    if (form == Form.STREAM && !greeted) {
      greeted = true;
      return write(ChangeStream.greeting(position).getBytes(UTF_8));
    }
    Optional<Answer> answer = taken();
    if (answer.isEmpty()) {
      ask();
      return Action.IDLE;
    }
    if (form == Form.POLL) {
      last = answer.get().bytes();
      return Action.SUCCEEDED;
    }
    return write(events(answer.get().json()).getBytes(UTF_8));
  }

  private String events(JsonNode found) {
    StringBuilder text = new StringBuilder();
    for (JsonNode each : found.path("items")) {
      text.append(ChangeStream.event(each.path("seq_number").asLong(), each));
    }
    position = found.path("after").asLong();
    return text.isEmpty() ? ChangeStream.nothing(position) : text.toString();
  }

  private void ask() {
    synchronized (this) {
      if (asking || came.isPresent()) {
        return;
      }
      asking = true;
    }
    CompletableFuture<Answer> unused =
        from.ask(after(request, position).query("wait", wait.toMillis() + "ms"))
            .whenComplete((answer, failure) -> answered(Optional.ofNullable(answer)));
  }

  private void answered(Optional<Answer> answer) {
    synchronized (this) {
      came = answer.filter(Answer::isSuccess);
      failed = came.isEmpty();
      asking = false;
    }
    iterate();
  }

  private synchronized boolean hasFailed() {
    return failed;
  }

  private synchronized Optional<Answer> taken() {
    Optional<Answer> answer = came;
    came = Optional.empty();
    return answer;
  }

  @Override
  protected boolean isDue(long now) {
    return false; // the other server says when time is over
  }

  @Override
  protected byte[] ending() {
    return form == Form.STREAM ? ChangeStream.ended(dismissal()) : last;
  }
}
