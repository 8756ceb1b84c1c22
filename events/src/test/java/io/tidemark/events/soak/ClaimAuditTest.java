// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.Delivery;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.FakeClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The soak finds what it looks for. */
final class ClaimAuditTest {
  private final FakeClock clock = new FakeClock(Instant.parse("2026-03-02T10:00:00.5Z"));
  private final List<String> violations = new ArrayList<>();
  private final ObjectStore store =
      new ObjectStore(new ClaimAudit(new MemoryBackend(clock), violations::add), Retry.standard());
  private final Namespace namespace =
      EventBus.open(store, "", BusOptions.standard()).namespace("soak");
  private final String event = namespace.publish(NewEvent.of("x", "{}")).event().id();

  @Test
  void whatIsDoneByTheBookIsNoViolation() {
    claim("one").release("failed");
    clock.jump(Duration.ofSeconds(1));
    claim("two");
    clock.jump(Duration.ofSeconds(31));
    claim("three").ack();
    assertThat(violations).isEmpty();
  }

  @Test
  void aClaimThatIsTakenFromItsHolderIsFound() {
    claim("one");
    replace("\"one\"", "\"two\"");
    assertThat(violations).singleElement().asString().startsWith("taken before its time");
  }

  @Test
  void aClaimThatIsTakenBeforeItIsAvailableIsFound() {
    claim("one").release("failed");
    replace("\"one\"", "\"two\"");
    assertThat(violations).singleElement().asString().startsWith("taken before its time");
  }

  @Test
  void aClaimThatWasFinishedAndIsNotIsFound() {
    claim("one").ack();
    replace("\"ack_at\":\"[^\"]*\"", "\"ack_at\":null");
    assertThat(violations).singleElement().asString().startsWith("finished and changed");
  }

  private Delivery claim(String session) {
    return namespace.claim(new ClaimRequest("a", EventTypeFilter.all(), 1, session)).get(0);
  }

  private void replace(String pattern, String by) {
    String key = "claims/soak/" + event + "/a.json";
    StoredObject now = store.get(key).orElseThrow();
    String changed = now.text().replaceAll(pattern, by);
    ETag etag = now.etag();
    WriteResult result =
        store.put(key, Body.of(changed.getBytes(StandardCharsets.UTF_8)), Condition.ifMatch(etag));
    assertThat(result.written()).isTrue();
  }
}
