// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Grant;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectPermissionsTest {

  private static final Condition IF_MATCH = Condition.ifMatch(new ETag("1"));

  private static Caller caller(String... grants) {
    return Caller.ofToken(
        "caller", Stream.of(grants).flatMap(grant -> Grant.parse(grant).stream()).toList());
  }

  private static final Caller READER = caller("read:names/acme/", "read:events/orders");
  private static final Caller WRITER = caller("read,write:names/acme/", "read,write:events/orders");
  private static final Caller ADMIN = caller("read,write,admin:names/acme/");
  private static final Caller STRANGER =
      caller("read,write,admin:names/acmecorp/", "read,write,admin:events/orders2");

  private static String writing(Caller caller, String key, Condition condition) {
    try {
      return switch (ObjectPermissions.requireWrite(caller, key, condition)) {
        case ANYTHING -> "yes";
        case THE_SAME -> "the same";
        case WHAT_FOLLOWS -> "what follows";
      };
    } catch (TidemarkException e) {
      return e.code();
    }
  }

  /** What comes of it; who may not read a name isn't told whether there is one. */
  private static String told(Runnable request) {
    try {
      request.run();
      return "yes";
    } catch (TidemarkException e) {
      return e.code();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ledgers/acme%2Fcrm/meta/head.json",
    "ledgers/acme%2Fcrm/commits/1-abc/manifest.json",
    "ledgers/acme%2Fcrm/branches/dev/meta/head.json",
    "events/orders/2026-02-11T12-00-00+00-00_x.json",
    "claims/orders/x/h.json",
    "dead_letters/orders/x/h.json",
    "sessions/orders/s.json",
    "cursors/orders/h.json",
    "sources/orders/s.json"
  })
  void whatIsOfANameIsForThoseWhoMayReadOrWriteIt(String key) {
    assertThat(told(() -> ObjectPermissions.requireRead(READER, key))).isEqualTo("yes");
    assertThat(told(() -> ObjectPermissions.requireRead(STRANGER, key))).isEqualTo("not-found");
    Condition absent = Condition.ifAbsent();
    assertThat(told(() -> ObjectPermissions.requireWrite(WRITER, key, absent))).isEqualTo("yes");
    assertThat(told(() -> ObjectPermissions.requireWrite(READER, key, absent)))
        .isEqualTo("forbidden");
    assertThat(told(() -> ObjectPermissions.requireWrite(STRANGER, key, absent)))
        .isEqualTo("forbidden");
  }

  /** The conditions that a ledger itself uses are allowed, and no others. */
  @ParameterizedTest
  @CsvSource({
    "commits/1-ab/manifest.json,              yes, refused-write, the same, the same",
    "commits/1-ab/entities/A.parquet,         yes, refused-write, the same, the same",
    "snapshots/entities/A-1-2-ab.parquet,     yes, refused-write, the same, the same",
    "snapshots/entities/A-1-2-ab.parquet.superseded, yes, yes, yes, yes",
    "meta/head.json,                          yes, what follows, refused-write, refused-write",
    "meta/locks/ontology_write.json,          yes, yes, refused-write, refused-write",
    "meta/locks/ontology_write.waiting.json,  yes, yes, yes, yes",
    "meta/engine.json,                        yes, yes, forbidden, yes",
    "meta/schema/types.json,                  yes, yes, forbidden, yes",
    "meta/schema/versions/entity/A.json,      yes, yes, forbidden, yes",
    "meta/indices/entities/A.json,            yes, yes, forbidden, yes",
    "branches/dev/meta/head.json,             yes, what follows, refused-write, refused-write",
    "branches/dev/meta/locks/ontology_write.json, yes, yes, refused-write, refused-write",
    "branches/dev/meta/locks/ontology_write.waiting.json, yes, yes, yes, yes",
    "branches/a%2Fb/e1/meta/indices/entities/A.json, yes, yes, yes, yes",
    "branches/dev/e1/meta/schema/types.json,  yes, yes, yes, yes",
    "branches/dev/dropped/e1.json,            yes, yes, yes, yes"
  })
  void aLedgersHistoryStays(
      String path, String created, String replaced, String byWriter, String byAdmin) {
    String key = "ledgers/acme%2Fcrm/" + path;
    Condition none = Condition.none();
    assertThat(writing(WRITER, key, Condition.ifAbsent())).isEqualTo(created);
    assertThat(writing(WRITER, key, IF_MATCH)).isEqualTo(replaced);
    assertThat(writing(WRITER, key, none)).isEqualTo(byWriter);
    assertThat(writing(ADMIN, key, none)).isEqualTo(byAdmin);
  }

  @Test
  void anAdministratorMovesAHeadAnywhere() {
    assertThat(writing(ADMIN, "ledgers/acme%2Fcrm/meta/head.json", IF_MATCH)).isEqualTo("yes");
  }

  @Test
  void onlyAnAdministratorDeletes() {
    String commit = "ledgers/acme%2Fcrm/commits/1-ab/manifest.json";
    assertThat(told(() -> ObjectPermissions.requireDelete(WRITER, commit))).isEqualTo("forbidden");
    assertThat(told(() -> ObjectPermissions.requireDelete(ADMIN, commit))).isEqualTo("yes");
    String event = "events/orders/x.json";
    assertThat(told(() -> ObjectPermissions.requireDelete(WRITER, event))).isEqualTo("forbidden");
    assertThat(told(() -> ObjectPermissions.requireDelete(caller("admin:events/orders"), event)))
        .isEqualTo("yes");
  }

  /** The conditions that the bus itself uses are allowed, and no others. */
  @ParameterizedTest
  @CsvSource({
    "events/orders/2026-02-11T12-00-00+00-00_x.json, yes, refused-write, the same",
    "dead_letters/orders/x/h.json,                   yes, refused-write, the same",
    "claims/orders/x/h.json,                         yes, yes, refused-write",
    "cursors/orders/h.json,                          yes, yes, refused-write",
    "sources/orders/s.json,                          yes, yes, refused-write",
    "sessions/orders/s.json,                         yes, yes, yes"
  })
  void whatWasPublishedStays(String key, String created, String replaced, String otherwise) {
    assertThat(writing(WRITER, key, Condition.ifAbsent())).isEqualTo(created);
    assertThat(writing(WRITER, key, IF_MATCH)).isEqualTo(replaced);
    assertThat(writing(WRITER, key, Condition.none())).isEqualTo(otherwise);
  }

  @Test
  void outboxesAreForThoseWhoMayDoAllEvents() {
    String key = "outboxes/shop.json";
    assertThat(told(() -> ObjectPermissions.requireRead(WRITER, key))).isEqualTo("forbidden");
    assertThat(told(() -> ObjectPermissions.requireRead(caller("read:events"), key)))
        .isEqualTo("yes");
  }

  @Test
  void aListingShowsWhatTheCallerMayRead() {
    assertThat(seen(READER, "ledgers/acme%2Fcrm/meta/head.json", "ledgers/other/meta/head.json"))
        .containsExactly("ledgers/acme%2Fcrm/meta/head.json");
    assertThat(seen(READER, "ledgers/", "events/", "ns@v2/", "ledgers/acme%2Fcrm/", "ledgers/b/"))
        .containsExactly("ledgers/", "events/", "ledgers/acme%2Fcrm/");
    assertThat(seen(caller("read:events/orders"), "ledgers/", "events/orders/", "events/x/"))
        .containsExactly("events/orders/");
  }

  private static List<String> seen(Caller caller, String... names) {
    return Stream.of(names).filter(name -> ObjectPermissions.mayList(caller, entry(name))).toList();
  }

  private static Listing.Entry entry(String name) {
    return name.endsWith("/")
        ? new Listing.Entry.Group(name)
        : new Listing.Entry.Item(new ObjectInfo(name, new ETag("1"), 1, Instant.EPOCH));
  }
}
