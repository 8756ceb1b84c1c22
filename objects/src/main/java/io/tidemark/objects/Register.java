// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * Object whose value changes only by compare-and-set: read, change, write if no other writer has
 * written since, otherwise retry. Made by {@link ObjectStore#register}.
 *
 * <p>Guarantees:
 *
 * <ol>
 *   <li>A value replaces exactly the state that it was computed from.
 *   <li>A lost answer is resolved by the store and, where that can't tell, by reading the object:
 *       its own bytes there mean written. Otherwise {@link #write} throws {@link
 *       OutcomeUnknownException}, and {@link #update} applies the change once more. A change must
 *       therefore have the same effect when it is applied to its own result.
 *   <li>A write that the store refuses although the condition holds, as it may when a rival's write
 *       was under way that failed in the end, is made again.
 * </ol>
 *
 * @param <T> type of the value
 */
public final class Register<T> {

  private static final int REFUSALS = 8;

  /**
   * Codec between a value and the bytes of its object.
   *
   * @param <T> type of the value
   */
  public interface Format<T> {

    /** Makes a format of two functions. */
    static <T> Format<T> of(
        Function<StoredObject, Optional<T>> reading, Function<T, String> writing) {
      return new Format<>() {
        @Override
        public Optional<T> read(StoredObject object) {
          return reading.apply(object);
        }

        @Override
        public String write(T value) {
          return writing.apply(value);
        }
      };
    }

    /** Reads a value; empty for bytes that have no meaning and may be replaced. */
    Optional<T> read(StoredObject object);

    /** Writes a value as text, which is stored in UTF-8. */
    String write(T value);
  }

  /**
   * Value of a register at one moment.
   *
   * @param version version of the object; empty when there is none
   * @param value its value; empty when there is no object, or one without meaning
   * @param <T> type of the value
   */
  public record State<T>(Optional<ETag> version, Optional<T> value) {

    /** Returns the state of a register that was never written. */
    public static <T> State<T> absent() {
      return new State<>(Optional.empty(), Optional.empty());
    }
  }

  private final ObjectStore store;
  private final Retry retry;
  private final String key;
  private final Format<T> format;

  Register(ObjectStore store, Retry retry, String key, Format<T> format) {
    this.store = store;
    this.retry = retry;
    this.key = key;
    this.format = format;
  }

  /** Reads the state as it is now. */
  public State<T> read() {
    return store
        .get(key)
        .map(found -> new State<>(Optional.of(found.etag()), format.read(found)))
        .orElseGet(State::absent);
  }

  /**
   * Changes the value, retrying while other writers win the race.
   *
   * @param change returns the next value, or empty to leave the state as it is
   * @return the state that was written, or that was left as it is
   * @throws StoreUnavailableException when other writers won every race until the retry time was
   *     used up
   */
  public State<T> update(Function<State<T>, Optional<T>> change) {
    return update(read(), change);
  }

  /** Changes the value like {@link #update(Function)}, beginning with a known state. */
  public State<T> update(State<T> known, Function<State<T>, Optional<T>> change) {
    return tryUpdate(known, Integer.MAX_VALUE, change)
        .orElseThrow(
            () ->
                new StoreUnavailableException(
                    key + " in " + store + " is changed by others all the time; try again later"));
  }

  /**
   * Changes the value like {@link #update(State, Function)}, but gives up sooner.
   *
   * @param retries maximum number of retries when other writers win the race
   * @return empty when other writers won every race
   */
  public Optional<State<T>> tryUpdate(
      State<T> known, int retries, Function<State<T>, Optional<T>> change) {
    Retry.Backoff backoff = retry.atMost(retries).start();
    State<T> seen = known;
    while (true) {
      Optional<T> next = change.apply(seen);
      if (next.isEmpty()) {
        return Optional.of(seen);
      }
      Optional<State<T>> written = writeOrReread(seen, next.get());
      if (written.isPresent() || !backoff.pause()) {
        return written;
      }
      seen = read();
    }
  }

  private Optional<State<T>> writeOrReread(State<T> seen, T next) {
    try {
      return write(seen, next);
    } catch (OutcomeUnknownException e) {
      return Optional.empty(); // the change is applied to what is there now
    }
  }

  /**
   * Replaces a state.
   *
   * @return the new state; empty when another state is there
   * @throws OutcomeUnknownException when it can't be known whether this write took place
   */
  public Optional<State<T>> write(State<T> seen, T next) {
    byte[] bytes = format.write(next).getBytes(UTF_8);
    try {
      return put(Body.of(bytes), Condition.unchanged(seen.version()))
          .map(etag -> new State<>(Optional.of(etag), Optional.of(next)));
    } catch (OutcomeUnknownException e) {
      return Optional.of(
          store
              .get(key)
              .filter(now -> Arrays.equals(now.bytes(), bytes))
              .map(now -> new State<>(Optional.of(now.etag()), Optional.of(next)))
              .orElseThrow(() -> e));
    }
  }

  private Optional<ETag> put(Body body, Condition condition) {
    for (int i = 0; i < REFUSALS; i++) {
      WriteResult result = store.put(key, body, condition);
      if (result instanceof Written written) {
        return Optional.of(written.etag());
      }
      if (result instanceof PreconditionFailed failed && !condition.holds(failed.current())) {
        return Optional.empty();
      }
    }
    throw new StoreUnavailableException(
        "the write to " + key + " in " + store + " is refused again and again without a reason");
  }
}
