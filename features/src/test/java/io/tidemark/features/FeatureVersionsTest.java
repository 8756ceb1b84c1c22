// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.activity.Activity;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.SchemaLocation;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.Feature;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.read.Slice;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of a feature and what was done to it, a stretch at a time. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FeatureVersionsTest {

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static Write speed(int limit) {
    return Write.upsert(
        Feature.parse("{\"id\": \"r\", \"properties\": {\"speed\": %d}}".formatted(limit)));
  }

  /** All that stretches have, one after the other. */
  private static <T> List<T> all(Function<Optional<String>, Slice<T>> stretch) {
    List<T> all = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Slice<T> some = stretch.apply(next);
      all.addAll(some.items());
      next = some.next();
    } while (next.isPresent());
    return all;
  }

  private static List<Integer> speeds(List<Activity> activities) {
    return activities.stream()
        .map(each -> each.json().path("properties").path("speed").asInt())
        .toList();
  }

  /** Three that came past the triggers without a uuid, before and between those that have one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10})
  void whatWasDoneIsToldOnceAlsoIfStatesHaveNoUuids(int most) throws SQLException {
    String c = storage.small();
    for (int limit = 1; limit <= 6; limit++) {
      storage.features.write(ALICE, c, List.of(speed(limit)));
    }
    storage.psql.run(
        "SET session_replication_role = replica",
        ("UPDATE %s_hst SET jsondata = jsondata #- '{properties,@ns:com:here:xyz,uuid}' #-"
                + " '{properties,@ns:com:here:xyz,puuid}'"
                + " WHERE (jsondata->'properties'->>'speed')::int IN (1, 2, 4)")
            .formatted(c),
        "SET session_replication_role = origin");

    List<Activity> whole = storage.features.read(r -> r.activity(c, "r"));
    List<Activity> pages =
        storage.features.read(r -> all(after -> r.activity(c, "r", after, most)));

    assertThat(speeds(whole)).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
    assertThat(pages).isEqualTo(whole);
    assertThat(whole)
        .filteredOn(each -> each.diff().isPresent())
        .as("whose state before is known")
        .extracting(each -> each.json().path("properties").path("speed").asInt())
        .containsExactly(6);
    List<Feature> states = storage.features.read(r -> all(n -> r.versions(c, "r", n, most)));
    assertThat(states)
        .extracting(state -> state.data().path("properties").path("speed").asInt())
        .containsExactly(1, 2, 3, 4, 5, 6);
  }

  /** In a transaction that sees what others commit meanwhile, where no history keeps the state. */
  @Test
  void aStateThatIsReplacedBeforeItIsReadGivesWayToTheNextOne() throws SQLException {
    String c = storage.create(CollectionOptions.none().unpartitioned().withoutHistory());
    storage.features.write(ALICE, c, List.of(speed(30)));
    List<Integer> limits = new ArrayList<>(List.of(50, 70));
    try (Connection real = DriverManager.getConnection(storage.url)) {
      Connection connection =
          watched(
              real,
              statement -> {
                if (statement.contains("jsondata, geo, i") && !limits.isEmpty()) {
                  storage.features.write(ALICE, c, List.of(speed(limits.remove(0))));
                }
              });
      ReadTransaction readTransaction =
          new ReadTransaction(new SqlSession(connection, new SchemaLocation("public", "store")));

      Slice<Activity> found = readTransaction.activity(c, "r", Optional.empty(), 10);

      assertThat(limits).isEmpty();
      assertThat(speeds(found.items())).containsExactly(70);
      assertThat(found.next()).isEmpty();
    }
  }

  /** A connection that tells of each statement before it is sent. */
  private static Connection watched(Connection real, Consumer<String> before) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                before.accept((String) arguments[0]);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
