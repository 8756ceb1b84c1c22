// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Problem;
import io.tidemark.server.http.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What became of the last writes that came with a name of their own in {@code Tidemark-Write}, so
 * that one whose answer got lost can be sent again: what was done isn't done twice, and is answered
 * as done. An {@code Idempotency-Key} is for everybody and promises less: a server that doesn't
 * know it carries the write out.
 *
 * <p>Only the memory of this process has it. So a write that says it was sent before, with {@code
 * Tidemark-Sent-Before}, and isn't known is not carried out: an earlier process may have done it,
 * and whoever sent it has to look.
 */
final class RecentWrites {

  /** Some 20 MB of keys, for minutes at usual rates and for seconds at the highest. */
  private static final int KEPT = 100_000;

  private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");

  /**
   * How a write ended.
   *
   * @param done what is to be remembered of a write that was done, such as the tag of the new
   *     state; empty when nothing was changed
   */
  record Ended(Reply reply, Optional<String> done) {
    static Ended done(Reply reply, String trace) {
      return new Ended(reply, Optional.of(trace));
    }

    static Ended refused(Reply reply) {
      return new Ended(reply, Optional.empty());
    }
  }

  /** Completed with what {@link Ended#done} says, or with the failure of who can't tell. */
  private final Map<String, CompletableFuture<Optional<String>>> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<String, CompletableFuture<Optional<String>>> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * Carries out a write, unless it was done before.
   *
   * @param again how to answer one that was, given what was remembered
   */
  Reply once(Call call, Supplier<Ended> write, Function<String, Reply> again) {
    Optional<String> key = call.header("Tidemark-Write");
    if (key.isEmpty()) {
      return write.get().reply();
    }
    if (!KEY.matcher(key.get()).matches()) {
      throw Call.invalid("a Tidemark-Write has 1 to 128 plain characters");
    }
    String whose = call.caller().identity() + ' ' + key.get();
    CompletableFuture<Optional<String>> mine = new CompletableFuture<>();
    CompletableFuture<Optional<String>> before;
    boolean sentBefore = call.header("Tidemark-Sent-Before").isPresent();
    synchronized (known) {
      before = known.get(whose);
      if (before == null && !sentBefore) {
        known.put(whose, mine);
      }
    }
    while (before != null) {
      Optional<String> trace = outcome(before);
      if (trace.isPresent()) {
        return again.apply(trace.get());
      }
      // Nothing was changed by it, so this one is the first, if no other is meanwhile.
      synchronized (known) {
        if (known.replace(whose, before, mine) || known.putIfAbsent(whose, mine) == null) {
          return first(mine, write);
        }
        before = known.get(whose);
      }
    }
    if (sentBefore) {
      return Reply.problem(
          Problem.of(
              409,
              "unknown-write",
              "no write with this Tidemark-Write is known here any more; look whether it was"
                  + " done, and send it as new if it wasn't"));
    }
    return first(mine, write);
  }

  /** What became of the first; fails as it did. */
  private static Optional<String> outcome(CompletableFuture<Optional<String>> before) {
    try {
      return before.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof OutcomeUnknownException unknown ? unknown : e;
    }
  }

  private Reply first(CompletableFuture<Optional<String>> mine, Supplier<Ended> write) {
    try {
      Ended ended = write.get();
      mine.complete(ended.done());
      return ended.reply();
    } catch (OutcomeUnknownException e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      if (!mine.isDone()) { // it failed, and nothing was changed
        mine.complete(Optional.empty());
      }
    }
  }
}
