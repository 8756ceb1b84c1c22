// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.measure.BenchS3Clients;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Workload;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.testkit.servers.RequestLog;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The S3 store beside the bare client, both against a server in this process. */
final class S3Bench {

  private static final byte[] BYTES = new byte[300];
  private static final String KEY = "cas.json";

  private final ObjectsScale objectsScale;
  private final Report report;

  S3Bench(ObjectsScale objectsScale, Report report) {
    this.objectsScale = objectsScale;
    this.report = report;
  }

  void run() throws Exception {
    try (S3Server server = S3Server.start()) {
      S3Bucket bucket = server.createBucket();
      ObjectBackend ours = BenchS3Clients.ours(server, bucket.name());
      try (ObjectStore store = new ObjectStore(ours, Retry.standard());
          S3Client bare = BenchS3Clients.bare(server)) {
        report.section("S3, on loopback", "bare client");
        compare(store, bare, bucket);
      }
    }
  }

  private void compare(ObjectStore store, S3Client bare, S3Bucket bucket) throws Exception {
    PairedBenchmark pairedBenchmark =
        new PairedBenchmark(objectsScale.rounds(), objectsScale.remote());
    report.compareTimes(
        "CAS", pairedBenchmark.run(cas(store), bareCas(bare, bucket)), Optional.empty());
    report.compareTimes(
        "put",
        pairedBenchmark.run(n -> put(store, n), n -> barePut(bare, bucket, n)),
        Optional.empty());
    report.compareTimes(
        "get",
        pairedBenchmark.run(n -> get(store, n), n -> bareGet(bare, bucket, n)),
        Optional.empty());
    int listed = Math.min(objectsScale.listed(), 5_000);
    for (int i = 0; i < listed; i++) {
      store.put(String.format("list/%06d.json", i), Body.of("{}"), Condition.none());
    }
    PairedBenchmark lists = new PairedBenchmark(objectsScale.rounds(), listed);
    report.compareTimes(
        "list, a key",
        lists.run(n -> list(store, n), n -> bareList(bare, bucket, n)),
        Optional.empty());
    countRequests(store, bucket.requests());
  }

  private void countRequests(ObjectStore store, RequestLog requests) {
    // Other bytes each time: on S3, equal bytes have equal ETags.
    ETag current = ((Written) store.put(KEY, Body.of("1"), Condition.none())).etag();
    requests.clear();
    ETag next = ((Written) store.put(KEY, Body.of("2"), Condition.ifMatch(current))).etag();
    int won = requests.count();
    store.put(KEY, Body.of("3"), Condition.ifMatch(current));
    int lost = requests.count() - won;
    requests.clear();
    store.getIfChanged(KEY, next);
    report.remark(
        "requests: CAS won "
            + won
            + ", CAS lost "
            + lost
            + " (one more to tell what is there), conditional get "
            + requests.count());
  }

  private static ETag written(ObjectStore store, Condition condition) {
    return ((Written) store.put(KEY, Body.of(BYTES), condition)).etag();
  }

  private static Workload cas(ObjectStore store) {
    return n -> {
      ETag version = written(store, Condition.none());
      for (int i = 0; i < n; i++) {
        version = written(store, Condition.ifMatch(version));
      }
    };
  }

  private static Workload bareCas(S3Client bare, S3Bucket bucket) {
    return n -> {
      String version = barePut(bare, bucket, 1);
      for (int i = 0; i < n; i++) {
        String expected = version;
        version =
            bare.putObject(
                    r -> r.bucket(bucket.name()).key(KEY).ifMatch(expected),
                    RequestBody.fromBytes(BYTES))
                .eTag();
      }
    };
  }

  private static void put(ObjectStore store, int n) {
    for (int i = 0; i < n; i++) {
      written(store, Condition.none());
    }
  }

  private static String barePut(S3Client bare, S3Bucket bucket, int n) {
    String version = "";
    for (int i = 0; i < n; i++) {
      version =
          bare.putObject(r -> r.bucket(bucket.name()).key(KEY), RequestBody.fromBytes(BYTES))
              .eTag();
    }
    return version;
  }

  private static void get(ObjectStore store, int n) {
    for (int i = 0; i < n; i++) {
      Expect.equal(BYTES.length, store.get(KEY).orElseThrow().bytes().length);
    }
  }

  private static void bareGet(S3Client bare, S3Bucket bucket, int n) {
    for (int i = 0; i < n; i++) {
      Expect.equal(
          BYTES.length,
          bare.getObjectAsBytes(r -> r.bucket(bucket.name()).key(KEY)).asByteArrayUnsafe().length);
    }
  }

  private static void list(ObjectStore store, int n) {
    try (Stream<ObjectInfo> objects = store.list("list/")) {
      Expect.equal(n, objects.count());
    }
  }

  private static void bareList(S3Client bare, S3Bucket bucket, int n) {
    long count = 0;
    for (S3Object object :
        bare.listObjectsV2Paginator(r -> r.bucket(bucket.name()).prefix("list/")).contents()) {
      count += object.key().isEmpty() ? 0 : 1;
    }
    Expect.equal(n, count);
  }
}
