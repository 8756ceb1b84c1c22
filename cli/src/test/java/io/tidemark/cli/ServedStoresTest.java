// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.features.cluster.ClusterState;
import io.tidemark.features.cluster.PrivateCluster;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers in processes of their own, on the stores that aren't a mere directory. */
@ExtendWith(ServerExtension.class)
final class ServedStoresTest {

  /** Only a hang takes that long. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void namesAreInDynamoDbAndLedgersOnS3(DynamoDbServer dynamo, S3Server s3) {
    S3Bucket bucket = s3.createBucket();
    String names =
        "dynamodb://%s?create=true&region=%s&endpoint=%s"
            .formatted(dynamo.freshTableName(), dynamo.region(), dynamo.endpoint());
    String objects =
        "s3://%s/deep/prefix?path-style=true&region=%s&endpoint=%s"
            .formatted(bucket.name(), s3.region(), s3.endpoint());
    Map<String, String> credentials =
        Map.of("aws.accessKeyId", s3.accessKey(), "aws.secretAccessKey", s3.secretKey());
    try (ChildJvm process =
        ChildJvm.start(
            credentials,
            TidemarkCommand.class,
            "serve",
            "--port",
            "0",
            "--data",
            names,
            "--objects",
            objects)) {
      String listens = process.nextLine().orElseThrow();
      assertThat(listens).startsWith("Tidemark listens on http://127.0.0.1:");
      assertThat(process.nextLine().orElseThrow())
          .matches("  names            dynamodb://test-[-0-9a-f]+\\?.*endpoint=.*");
      assertThat(process.nextLine().orElseThrow())
          .startsWith("  ledgers, events  s3://" + bucket.name() + "/deep/prefix");
      process.expectLine("  features         -");

      String address = listens.replace("Tidemark listens on ", "");
      ServerProcess server =
          new ServerProcess(process, JsonNodeFactory.instance.objectNode().put("address", address));
      assertThat(server.get("/ready").path("status").asText()).isEqualTo("ready");
      server.post("/v1/ledgers", "{\"ledger\":\"crm\"}");
      server.post("/v1/ledgers/crm/commits", ServerProcess.item("i1", 7));
      assertThat(
              server
                  .post("/v1/ledgers/crm/sql", "{\"sql\":\"SELECT n FROM Item\"}")
                  .path("rows")
                  .toString())
          .isEqualTo("[{\"n\":7}]");
      assertThat(server.get("/v1/names/crm/heads").at("/commit/t").asLong()).isEqualTo(1);
      server.post("/v1/events/orders/events", "{\"type\":\"order.created\",\"id\":\"o1\"}");
      assertThat(server.get("/v1/events/orders/events/o1").toString()).contains("order.created");
      assertThat(server.text("/metrics"))
          .contains("tidemark_names_requests_seconds_count{operation=\"UpdateItem\",result=\"ok\"}")
          .contains("tidemark_names_requests_seconds_count{operation=\"Query\",result=\"ok\"}");
      assertThat(process.endBy("TERM")).isEqualTo(143);
      assertThat(process.errors()).last().isEqualTo("tidemark: stopped");
    }
    credentials.forEach(System::setProperty);
    try {
      StringWriter found = new StringWriter();
      int code = run(found, "doctor", "--data", names, "--objects", objects);
      assertThat(found.toString())
          .containsPattern("ok +writing names +works, and keeps to conditions")
          .containsPattern("ok +store +s3://" + bucket.name())
          .containsPattern("ok +ledgers +sampled 1 file of 1 ledger, intact");
      assertThat(code).as(found.toString()).isEqualTo(ExitCodes.OK);
      StringWriter left = new StringWriter();
      run(left, "list", "--data", names);
      assertThat(left.toString()).contains("crm:main").doesNotContain("doctor");
    } finally {
      credentials.keySet().forEach(System::clearProperty);
    }
  }

  private static int run(StringWriter out, String... words) {
    return TidemarkCommand.run(
        CommandDescriptor.all(), new PrintWriter(out), new PrintWriter(out), words);
  }

  @Test
  void whatIsUnderWayIsAnsweredAndAllIsHandedBackWhenItIsToldToEnd() throws Exception {
    // Not one of JUnit's: PostgreSQL doesn't run as root, and has to get in.
    Path data = Files.createTempDirectory("tidemark-served-");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    PrivateCluster cluster = PrivateCluster.in(data.resolve(".postgres"));
    try (ServerProcess server =
        ServerProcess.on(Map.of(), "--data", data.toString(), "--features", "embedded")) {
      assertThat(server.told().path("features").asText()).isEqualTo("store");
      server.post("/v1/ledgers", "{\"ledger\":\"crm\"}");
      server.ask("PUT", "/v1/collections/roads", "{}");
      server.ask(
          "PUT",
          "/v1/collections/roads/features/r1",
          "{\"type\":\"Feature\",\"id\":\"r1\",\"geometry\":null,\"properties\":{\"speed\":50}}");
      await("the sequencer moves the head of the collection")
          .atMost(LIMIT)
          .until(
              () -> server.get("/v1/names?prefix=store/").path("items"),
              collections -> !collections.isEmpty());
      assertThat(server.get("/v1/collections/roads/features").path("features")).hasSize(1);
      PrivateCluster.Usage another = cluster.use(told -> {});

      commitWhileItEnds(server);

      assertThat(data.resolve("ledgers/crm/meta/locks/ontology_write.json"))
          .content()
          .contains("1970-01-01");
      assertThat(cluster.state()).isInstanceOf(ClusterState.Running.class);
      another.close();
      assertThat(cluster.state()).isInstanceOf(ClusterState.Stopped.class);
    } finally {
      cluster.down();
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Sends half of a commit, has the server told to end, and then sends the rest. */
  private static void commitWhileItEnds(ServerProcess server) throws Exception {
    URI address = server.at("/");
    byte[] body = ServerProcess.item("i1", 7).getBytes(StandardCharsets.UTF_8);
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      OutputStream out = socket.getOutputStream();
      String head =
          String.join(
              "\r\n",
              "POST /v1/ledgers/crm/commits HTTP/1.1",
              "Host: " + address.getAuthority(),
              "Content-Type: application/json",
              "Content-Length: " + body.length,
              "",
              "");
      out.write(head.getBytes(StandardCharsets.UTF_8));
      out.write(body, 0, 10);
      out.flush();
      await("the request is under way").atMost(LIMIT).until(() -> active(server) == 2);

      CompletableFuture<Integer> end =
          CompletableFuture.supplyAsync(() -> server.process().endBy("TERM"));
      await("nobody else is let in").atMost(LIMIT).until(() -> refuses(address));
      assertThat(end).isNotDone();
      out.write(body, 10, body.length - 10);
      out.flush();

      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      assertThat(answer.readLine()).isEqualTo("HTTP/1.1 201 Created");
      assertThat(end.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(143);
      List<String> said = server.process().errors();
      assertThat(said).last().isEqualTo("tidemark: stopped");
      assertThat(said).noneMatch(line -> line.contains("WARN") || line.contains("Exception"));
    }
  }

  /** How many requests are under way, of which one asks. */
  private static int active(ServerProcess server) throws IOException {
    try (var stream = server.at("/metrics").toURL().openStream()) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("tidemark_http_active"))
          .mapToInt(line -> (int) Double.parseDouble(line.replaceAll(".* ", "")))
          .sum();
    }
  }

  private static boolean refuses(URI address) throws IOException {
    try (Socket ignored = new Socket(address.getHost(), address.getPort())) {
      return false;
    } catch (ConnectException e) {
      return true;
    }
  }
}
