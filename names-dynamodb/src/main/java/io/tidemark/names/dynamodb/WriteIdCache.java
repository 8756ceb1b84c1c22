// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Cache of the last state of each concern that this process has seen, with the id of its write. A
 * writer that moves a record repeatedly can then require that write to be the last one, instead of
 * sending the whole payload to be compared. And a thread that has waited while other threads moved
 * the record learns the new state without a request that could only be refused.
 *
 * <p>It holds only heads, whose watermark grows with every change, and in the form that is written.
 * If they say where the head is, a program that knows of no write ids leaves its own pointer beside
 * them; one that writes such maps itself has to change the write id. Long ones aren't kept here.
 */
final class WriteIdCache {

  /** For what doesn't say that the record can be changed. */
  static final long LONG_AGO = 0;

  private static final int MOST = 4_096;
  private static final int LONGEST_PAYLOAD = 1_024;

  private record Key(String pk, ConcernAttributes layout) {}

  /**
   * A state that was there.
   *
   * @param writeId the write that brought it about
   * @param moment when the request began that told of it, or {@link #LONG_AGO}
   */
  record CachedState(ConcernValue state, String writeId, long moment) {}

  /** Counts requests, so as to tell what was before what. */
  private final AtomicLong clock = new AtomicLong();

  private final Map<Key, CachedState> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CachedState> eldest) {
          return size() > MOST;
        }
      };

  /** Returns whether states of this concern are kept. */
  static boolean isCached(ConcernAttributes concernAttributes) {
    return concernAttributes == ConcernAttributes.HEAD;
  }

  /** Now, in a time of which nothing is known but its order. */
  long moment() {
    return clock.get();
  }

  /** When a request begins. */
  long nextMoment() {
    return clock.incrementAndGet();
  }

  /** A write has put a concern into a state, in this form. */
  void recordWrite(
      String pk, ConcernAttributes concernAttributes, PayloadAttributes form, CachedState now) {
    if (form.attributes().keySet().equals(Set.of(concernAttributes.payload()))) {
      note(pk, concernAttributes, now);
    }
  }

  /** An item was read, and says that its concern is in a state. */
  void recordRead(
      String pk,
      ConcernAttributes concernAttributes,
      Map<String, AttributeValue> item,
      CachedState now) {
    List<String> forms =
        concernAttributes.payloadAttributes().stream().filter(item::containsKey).toList();
    if (!now.writeId().isEmpty() && forms.equals(List.of(concernAttributes.payload()))) {
      note(pk, concernAttributes, now);
    }
  }

  private synchronized void note(String pk, ConcernAttributes concernAttributes, CachedState now) {
    if (isCached(concernAttributes)
        && now.state().payload().filter(payload -> !isShort(payload)).isEmpty()) {
      seen.put(new Key(pk, concernAttributes), now);
    }
  }

  private static boolean isShort(Payload payload) {
    return payload.string("id").isPresent() && !payload.isLongerThan(LONGEST_PAYLOAD);
  }

  /**
   * Returns the state of a record that could be changed, if one was seen after a moment; empty when
   * that isn't known.
   */
  synchronized Optional<ConcernValue> stateSeenAfter(
      long moment, String pk, ConcernAttributes concernAttributes) {
    @Nullable CachedState known = seen.get(new Key(pk, concernAttributes));
    return known != null && known.moment() > moment ? Optional.of(known.state()) : Optional.empty();
  }

  /**
   * Returns the last write of a concern, if it was seen in this state; empty when that isn't known.
   */
  synchronized Optional<String> lastWrite(
      String pk, ConcernAttributes concernAttributes, ConcernValue state) {
    @Nullable CachedState known = seen.get(new Key(pk, concernAttributes));
    return known != null && known.state().equals(state)
        ? Optional.of(known.writeId())
        : Optional.empty();
  }
}
