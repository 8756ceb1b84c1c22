// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Which write brought about the state that a concern was in when this process saw it last. Whoever
 * moves a record again and again then asks whether that write is still the last one, instead of
 * sending the whole payload to be compared.
 *
 * <p>Only for heads, whose watermark grows with every change, and in the form that is written. If
 * they say where the head is, a program that knows of no write ids leaves its own pointer beside
 * them; one that writes such maps itself has to change the write id. Long ones aren't kept here.
 */
final class SeenStates {

  private static final int MOST = 4_096;
  private static final int LONGEST_PAYLOAD = 512;

  private record Place(String pk, Layout layout) {}

  private record Seen(ConcernValue state, String writeId) {}

  private final Map<Place, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Seen> eldest) {
          return size() > MOST;
        }
      };

  /** A write has put a concern into this state, in this form. */
  void wrote(String pk, Layout layout, ConcernValue state, String writeId, PayloadForm form) {
    if (form.attributes().keySet().equals(Set.of(layout.payload()))) {
      note(pk, layout, state, writeId);
    }
  }

  /** An item was read, and says that its concern is in this state. */
  void read(String pk, Layout layout, ConcernValue state, Map<String, AttributeValue> item) {
    String writeId = Requests.string(item, Attributes.WRITE_ID);
    List<String> forms = layout.forms().stream().filter(item::containsKey).toList();
    if (!writeId.isEmpty() && forms.equals(List.of(layout.payload()))) {
      note(pk, layout, state, writeId);
    }
  }

  private synchronized void note(String pk, Layout layout, ConcernValue state, String writeId) {
    if (layout == Layout.HEAD && state.payload().filter(payload -> !isShort(payload)).isEmpty()) {
      seen.put(new Place(pk, layout), new Seen(state, writeId));
    }
  }

  private static boolean isShort(Payload payload) {
    return payload.string("id").isPresent() && !payload.isLongerThan(LONGEST_PAYLOAD);
  }

  /** The last write of a concern, if it was seen in this state; empty when that isn't known. */
  synchronized Optional<String> lastWrite(String pk, Layout layout, ConcernValue state) {
    @Nullable Seen known = seen.get(new Place(pk, layout));
    return known != null && known.state().equals(state)
        ? Optional.of(known.writeId())
        : Optional.empty();
  }
}
