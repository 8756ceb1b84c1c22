// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.named.DefaultLocation;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may write a ledger moves its head on, and nowhere else. */
class HeadAdvanceValidatorTest {

  @Entity
  record Customer(@Key String id, long age) {}

  @TempDir private static Path directory;
  private static NameService names;
  private static ObjectStore store;
  private static RunningServer server;
  private static String writer;
  private static String admin;

  /** Each test has a ledger of its own. */
  private final Address crm = Address.parse("acme/crm-" + UUID.randomUUID());

  private final String place = DefaultLocation.of(crm);
  private final String head = place + "meta/head.json";

  @BeforeAll
  static void start() {
    names = NameService.open(directory.resolve("data").toString());
    store = names.objects().orElseThrow();
    Path file = directory.resolve("tokens");
    writer = token(file, "writer", "read,write:names/acme/");
    admin = token(file, "admin", "read,write,admin:names/acme/");
    AccessSettings access = AccessSettings.none().withTokens(file);
    server =
        new RunningServer(
            ServerResources.of(names),
            AccessControl.of(access),
            ServerSettings.standard().withAccess(access));
  }

  @BeforeEach
  void make() {
    try (NamedLedgerInitializer init = new NamedLedgerInitializer(names, crm, Optional.empty())) {
      init.init();
    }
  }

  @AfterAll
  static void stop() {
    server.close();
    names.close();
  }

  private static String token(Path file, String name, String grants) {
    TokenRecord.NewToken newToken =
        TokenRecord.create(name, Grant.parse(grants), Instant.now(), Optional.empty());
    new TokenFile(file).add(newToken.token());
    return newToken.secret();
  }

  /** A commit, and the head as it is then. */
  private ObjectNode commit(NameService through, Address address, String id, long age) {
    try (NamedLedgers.OpenLedger openLedger =
            new NamedLedgers(through).open(address, LedgerOptions.standard());
        Session session = openLedger.ledger().session(RecordType.of(Customer.class))) {
      session.ensure(new Customer(id, age));
      session.commit(Map.of());
    }
    return read(head);
  }

  private ObjectNode read(String key) {
    try {
      return (ObjectNode) CanonicalJson.parse(store.get(key).orElseThrow().bytes());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void plant(String key, ObjectNode document) {
    store.put(key, Body.of(CanonicalJson.write(document)), Condition.none());
  }

  /** Tries to replace what is there now: the status, and the code of a problem. */
  private String replace(String who, String key, String next) {
    HttpResponse<String> answer = put(who, key, next);
    return answer.statusCode() == 204
        ? "204"
        : answer.statusCode() + " " + RunningServer.json(answer).path("code").asText();
  }

  private HttpResponse<String> put(String who, String key, String next) {
    return server.send(
        HttpRequest.newBuilder(server.uri("/v1/objects/" + key.replace("%", "%25")))
            .header("Authorization", "Bearer " + who)
            .header("If-Match", '"' + store.get(key).orElseThrow().etag().value() + '"')
            .PUT(BodyPublishers.ofString(next))
            .build());
  }

  /** Why a writer may not replace the head so. */
  private String objection(ObjectNode next) {
    HttpResponse<String> answer = put(writer, head, CanonicalJson.write(next));
    assertThat(answer.statusCode()).isEqualTo(403);
    return RunningServer.json(answer).path("detail").asText();
  }

  private String replace(String who, ObjectNode next) {
    return replace(who, head, CanonicalJson.write(next));
  }

  @Test
  void aHeadDoesntGoBackButByAnAdministrator() {
    ObjectNode unborn = read(head);
    ObjectNode first = commit(names, crm, "c1", 1);
    ObjectNode second = commit(names, crm, "c1", 2);
    assertThat(replace(writer, unborn)).isEqualTo("403 refused-write");
    assertThat(replace(writer, first)).isEqualTo("403 refused-write");
    assertThat(replace(writer, head, "{}")).isEqualTo("403 refused-write");
    assertThat(replace(writer, head, "no head")).isEqualTo("403 refused-write");
    assertThat(replace(writer, head, "{\"dropped_at\":\"2026-11-16T00:00:00+00:00\"}"))
        .isEqualTo("403 refused-write");
    assertThat(replace(writer, second.deepCopy().put("epoch", "another")))
        .isEqualTo("403 refused-write");
    assertThat(read(head)).isEqualTo(second);
    assertThat(replace(admin, first)).isEqualTo("204");
  }

  @Test
  void aHeadGoesOnByAsManyCommitsAsWereMade() {
    ObjectNode first = commit(names, crm, "c1", 1);
    commit(names, crm, "c1", 2);
    commit(names, crm, "c1", 3);
    commit(names, crm, "c1", 4);
    ObjectNode last = commit(names, crm, "c1", 5);
    plant(head, first);
    assertThat(replace(writer, last)).isEqualTo("204");
  }

  @Test
  void aHeadDoesntGoAside() {
    ObjectNode first = commit(names, crm, "c1", 1);
    ObjectNode second = commit(names, crm, "c1", 2);
    String real = place + second.path("manifest_path").textValue();
    ObjectNode third = read(real);
    third.remove(List.of("seal_sha256", "ancestors"));
    third.put("commit_id", 3).put("parent_commit_id", 2);
    third.put("parent_manifest_path", "commits/2-beside/manifest.json");
    plant(place + "commits/2-beside/manifest.json", read(real));
    plant(place + "commits/3-aside/manifest.json", third);
    ObjectNode aside =
        second.deepCopy().put("commit_id", 3).put("manifest_path", "commits/3-aside/manifest.json");
    assertThat(objection(aside)).contains("isn't behind it");

    // One that follows the head but leaps past it to another history, as collectors would.
    third.put("parent_manifest_path", second.path("manifest_path").textValue());
    third.putArray("ancestors").addArray().add(2).add("commits/2-beside/manifest.json");
    plant(place + "commits/3-leaps/manifest.json", third);
    aside.put("manifest_path", "commits/3-leaps/manifest.json");
    assertThat(objection(aside)).contains("names ancestors that don't follow from its parent");

    aside.put("manifest_path", "commits/3-absent/manifest.json");
    assertThat(objection(aside)).contains("which is not there");

    third.remove("ancestors"); // as other programs leave them out
    plant(place + "commits/3-honest/manifest.json", third);
    aside.put("manifest_path", "commits/3-honest/manifest.json");
    assertThat(read(head)).isEqualTo(second).isNotEqualTo(first);
    assertThat(replace(writer, aside)).isEqualTo("204");
  }

  @Test
  void whoMayWriteCommitsOverHttpOnEveryBranch() throws IOException {
    Path file = directory.resolve("writer");
    Files.writeString(file, writer);
    String location = server.server().address() + "?token-file=" + file;
    try (NameService remote = NameService.open(location)) {
      commit(remote, crm, "c1", 1);
      commit(remote, crm, "c1", 2);
      new NamedBranches(remote, LedgerOptions.standard()).create(crm, "dev");
      commit(remote, crm.onBranch("dev"), "c1", 3);
      ObjectNode main = commit(remote, crm, "c1", 4);
      assertThat(main.path("commit_id").asLong()).isEqualTo(3);
    }
    String dev = place + "branches/dev/meta/head.json";
    assertThat(read(dev).path("commit_id").asLong()).isEqualTo(3);
    ObjectNode back = read(dev).put("commit_id", 2);
    back.put("manifest_path", back.path("forked_from").path("manifest_path").textValue());
    assertThat(replace(writer, dev, CanonicalJson.write(back))).isEqualTo("403 refused-write");
  }

  /** None of it loses what was committed. */
  @Test
  void whoMayWriteCompactsRepairsAndEndsTypesOverHttpAndCanHaveThemBack() throws IOException {
    Path file = directory.resolve("writer");
    Files.writeString(file, writer);
    TypeId type = new TypeId(TypeKind.ENTITY, "Customer");
    try (NameService remote = NameService.open(server.server().address() + "?token-file=" + file)) {
      commit(remote, crm, "c1", 1);
      commit(remote, crm, "c1", 2);
      try (NamedLedgers.OpenLedger openLedger =
          new NamedLedgers(remote).open(crm, LedgerOptions.standard())) {
        Ledger ledger = openLedger.ledger();
        Object compacted =
            ledger
                .compaction()
                .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
        assertThat(compacted).isNotNull();
        assertThat(ledger.indices().repair(Depth.EVERY_COMMIT).isEmpty()).isTrue();
        ledger
            .schemas()
            .drop(
                new DropRequest(type, Set.of(), Dependents.REFUSE, History.PURGE),
                Approval.Force.FORCE,
                Map.of());
        assertThat(ledger.reader().types()).isEmpty();
      }
      new NamedBranches(remote, LedgerOptions.standard()).createAt(crm, "before", 2);
      try (NamedLedgers.OpenLedger openLedger =
          new NamedLedgers(remote).open(crm.onBranch("before"), LedgerOptions.standard())) {
        assertThat(openLedger.ledger().reader().count(type)).isEqualTo(1);
      }
    }
    assertThat(read(head).path("commit_id").asLong()).isEqualTo(3);
  }
}
