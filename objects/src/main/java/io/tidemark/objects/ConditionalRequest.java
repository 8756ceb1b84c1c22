// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import io.tidemark.objects.ObjectBackend.Head;
import java.util.Optional;

/**
 * A write or delete that depends on a version, made until its outcome is known or can't be known.
 *
 * <p>As long as every answer arrives, it is sent until one says how it ended. Once an answer is
 * lost it is <i>in doubt</i>: it may have been applied. From then on only the object itself can
 * tell, so it is read back after each try.
 *
 * @param <R> how it ends
 */
abstract class ConditionalRequest<R> {
  private final ObjectBackend backend;
  private final Retry.Backoff backoff;
  private final String what;
  private final String key;
  private final Condition condition;
  private Optional<OutcomeUnknownException> doubt = Optional.empty();

  /**
   * Prepares a request.
   *
   * @param what such as "the write to"
   */
  ConditionalRequest(
      ObjectBackend backend, Retry retry, String what, String key, Condition condition) {
    this.backend = backend;
    this.backoff = retry.start();
    this.what = what;
    this.key = key;
    this.condition = condition;
  }

  /** Sends it once. */
  abstract R send();

  /** Returns whether the request was applied, by its answer. */
  abstract boolean applied(R answer);

  /**
   * Returns the outcome of the request, by the state of the object; empty when that doesn't tell.
   */
  abstract Optional<R> outcomeFrom(Optional<Head> now);

  R run() {
    while (true) {
      try {
        R answer = send();
        if (applied(answer) || doubt.isEmpty()) {
          return answer;
        }
      } catch (OutcomeUnknownException e) {
        doubt = Optional.of(e);
      } catch (StoreUnavailableException e) {
        pauseOrGiveUp(e);
        continue;
      } catch (TidemarkException e) {
        throw withEarlierDoubt(e);
      }
      Optional<Head> now = readBack();
      Optional<R> recognised = outcomeFrom(now);
      if (recognised.isPresent()) {
        return recognised.get();
      }
      if (!condition.holds(now.map(Head::etag)) || !backoff.pause()) {
        String found = now.map(head -> "version " + head.etag()).orElse("nothing");
        throw unknown("expected " + condition + ", found " + found, doubt.orElseThrow());
      }
    }
  }

  private Optional<Head> readBack() {
    while (true) {
      try {
        return backend.head(key);
      } catch (StoreUnavailableException e) {
        pauseOrGiveUp(e);
      } catch (TidemarkException e) {
        throw unknown("it can't be read back", e);
      }
    }
  }

  private void pauseOrGiveUp(StoreUnavailableException e) {
    if (!backoff.pause()) {
      throw withEarlierDoubt(e);
    }
  }

  /**
   * Returns the error of a later try: it says nothing of an earlier one that may have been applied.
   */
  private TidemarkException withEarlierDoubt(TidemarkException e) {
    return doubt.isPresent() ? unknown("trying again failed", e) : e;
  }

  private OutcomeUnknownException unknown(String why, TidemarkException e) {
    return new OutcomeUnknownException(
        what
            + " "
            + key
            + " in "
            + backend.capabilities().location()
            + " may or may not have taken place: its answer was lost and "
            + why
            + "; look for its trace before doing it again",
        e);
  }
}
