// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

class S3ServerTest {

  private static final S3Server SERVER = S3Server.start();
  private static final S3Client CLIENT = S3Access.client(SERVER, SERVER.secretKey());

  private S3Access s3 = new S3Access(CLIENT, "");

  @BeforeEach
  void takeAFreshBucket() {
    s3 = new S3Access(CLIENT, SERVER.createBucket().name());
  }

  @AfterAll
  static void stop() {
    CLIENT.close();
    SERVER.close();
  }

  @Test
  void readsBackWhatWasWritten() {
    String etag = s3.put("a/b", "hello");

    assertThat(s3.get("a/b")).isEqualTo("hello");
    // the MD5 of "hello", quoted
    assertThat(etag).isEqualTo("\"5d41402abc4b2a76b9719d911017c592\"");
  }

  @Test
  void listensOnLoopbackOnly() {
    assertThat(SERVER.endpoint().getHost()).isEqualTo("127.0.0.1");
  }

  @Test
  void refusesAWrongSecret() {
    try (S3Client stranger = S3Access.client(SERVER, "guessed")) {
      assertThatThrownBy(() -> new S3Access(stranger, s3.bucket()).get("k"))
          .isInstanceOfSatisfying(
              S3Exception.class,
              e -> {
                assertThat(e.statusCode()).isEqualTo(403);
                assertThat(e.awsErrorDetails().errorCode()).isEqualTo("SignatureDoesNotMatch");
              });
    }
  }

  @Test
  void saysWhetherTheKeyOrTheBucketIsMissing() {
    assertThatThrownBy(() -> s3.get("none")).isInstanceOf(NoSuchKeyException.class);
    assertThatThrownBy(() -> new S3Access(CLIENT, "no-such-bucket").get("none"))
        .isInstanceOf(NoSuchBucketException.class);
  }

  @Test
  void keepsUserMetadataAndDescribesObjects() {
    CLIENT.putObject(
        b -> b.bucket(s3.bucket()).key("k").metadata(Map.of("attempt", "42")),
        RequestBody.fromString("hello"));

    HeadObjectResponse head = CLIENT.headObject(b -> b.bucket(s3.bucket()).key("k"));
    assertThat(head.metadata()).isEqualTo(Map.of("attempt", "42"));
    assertThat(head.contentLength()).isEqualTo(5);
    assertThat(head.eTag()).isEqualTo("\"5d41402abc4b2a76b9719d911017c592\"");
  }

  @Test
  void answersNotModifiedToAReaderThatHasTheVersion() {
    String etag = s3.put("k", "v");

    assertThatThrownBy(
            () -> CLIENT.getObject(b -> b.bucket(s3.bucket()).key("k").ifNoneMatch(etag)))
        .satisfies(S3ServerTest::isNotModified);
  }

  @Test
  void readsRanges() {
    s3.put("k", "0123456789");

    assertThat(range("bytes=2-4")).isEqualTo("234");
    assertThat(range("bytes=7-")).isEqualTo("789");
    assertThat(range("bytes=-2")).isEqualTo("89");
    assertThatThrownBy(() -> range("bytes=10-12")).satisfies(e -> isStatus(e, 416));
  }

  @Test
  void createsOnlyWhatIsAbsent() {
    s3.create("k", "first");

    assertThatThrownBy(() -> s3.create("k", "second")).satisfies(e -> isStatus(e, 412));
    assertThat(s3.get("k")).isEqualTo("first");
  }

  @Test
  void replacesOnlyTheVersionThatWasNamed() {
    String first = s3.put("k", "first");
    s3.putIfMatch("k", "second", first);

    assertThatThrownBy(() -> s3.putIfMatch("k", "third", first)).satisfies(e -> isStatus(e, 412));
    assertThatThrownBy(() -> s3.putIfMatch("none", "v", first)).satisfies(e -> isStatus(e, 404));
    assertThat(s3.get("k")).isEqualTo("second");
  }

  @Test
  void deletesOnlyTheVersionThatWasNamed() {
    String first = s3.put("k", "first");
    String second = s3.put("k", "second");

    assertThatThrownBy(() -> s3.deleteIfMatch("k", first)).satisfies(e -> isStatus(e, 412));
    s3.deleteIfMatch("k", second);
    assertThatThrownBy(() -> s3.get("k")).isInstanceOf(NoSuchKeyException.class);
    s3.deleteIfMatch("k", second);
  }

  @Test
  void deletesSeveralInOneRequest() {
    List.of("a", "b/🦀", "c").forEach(key -> s3.put(key, "v"));
    ObjectIdentifier first = ObjectIdentifier.builder().key("a").build();
    ObjectIdentifier second = ObjectIdentifier.builder().key("b/🦀").build();

    CLIENT.deleteObjects(b -> b.bucket(s3.bucket()).delete(d -> d.objects(first, second)));
    assertThat(s3.keys("")).containsExactly("c");
  }

  @Test
  void ofEightWritersOnOneVersionOneWins() throws Exception {
    String etag = s3.put("k", "start");
    for (int round = 0; round < 10; round++) {
      String current = etag;
      String text = "round " + round;
      List<String> won =
          race(8, writer -> () -> s3.putIfMatch("k", text + " by " + writer, current));
      assertThat(won).hasSize(1);
      etag = won.get(0);
      assertThat(CLIENT.headObject(b -> b.bucket(s3.bucket()).key("k")).eTag()).isEqualTo(etag);
    }
  }

  @Test
  void ofSixteenCreatorsOneWins() throws Exception {
    for (int round = 0; round < 10; round++) {
      String key = "k" + round;
      assertThat(race(16, creator -> () -> s3.create(key, "by " + creator))).hasSize(1);
    }
  }

  @Test
  void holdsAKeyBesideKeysBelowIt() {
    s3.put("a/b", "below");
    s3.put("a", "above");
    s3.put("a/b/c", "deep");

    assertThat(s3.get("a")).isEqualTo("above");
    assertThat(s3.get("a/b")).isEqualTo("below");
    assertThat(s3.keys("")).containsExactly("a", "a/b", "a/b/c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plus+plus",
        "per%cent",
        "per%20cent",
        "two  spaces",
        "semi;colon=x",
        "a&b?c=d#e",
        "~.-_'()!*",
        "quote\"s",
        "back\\slash",
        "<xml>",
        "ümlaut/日本語",
        "emoji 🦀/🌊",
        "＊full",
        "colon:at@",
        "{x}|^`"
      })
  void takesOddKeys(String key) {
    s3.put(key, "v");

    assertThat(s3.get(key)).isEqualTo("v");
    assertThat(s3.keys("")).containsExactly(key);
    assertThat(s3.keys(key)).containsExactly(key);
    CLIENT.deleteObject(b -> b.bucket(s3.bucket()).key(key));
    assertThat(s3.keys("")).isEmpty();
  }

  @Test
  void takesKeysOfAsManyBytesAsS3() {
    List<String> keys =
        List.of("k".repeat(1024), "🦀".repeat(256), "a/" + "b".repeat(300) + "/" + "c".repeat(300));
    keys.forEach(key -> s3.put(key, "v"));

    assertThat(s3.keys("")).containsExactlyInAnyOrderElementsOf(keys);
    keys.forEach(key -> assertThat(s3.get(key)).isEqualTo("v"));
  }

  @Test
  void listsInTheOrderOfUtf8() {
    // U+FF5E comes before U+1F980 in UTF-8 and after its surrogates in UTF-16
    List<String> sorted = List.of("A", "a", "a!", "a/b", "a0", "é", "～", "🦀", "🦀/x");
    sorted.stream().sorted(java.util.Collections.reverseOrder()).forEach(key -> s3.put(key, "v"));

    assertThat(s3.keys("")).containsExactlyElementsOf(sorted);
    assertThat(keysOf(s3.page(ListObjectsV2Request.builder().startAfter("～"))))
        .containsExactly("🦀", "🦀/x");
  }

  @Test
  void groupsBelowADelimiterInTheOrderOfUtf8() {
    List.of("p/🦀/1", "p/🦀/2", "p/～/1", "p/x", "p/a/1", "p", "q/1").forEach(k -> s3.put(k, "v"));

    List<String> groups = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    CLIENT
        .listObjectsV2Paginator(b -> b.bucket(s3.bucket()).prefix("p/").delimiter("/"))
        .forEach(
            page -> {
              keys.addAll(keysOf(page));
              page.commonPrefixes().stream().map(CommonPrefix::prefix).forEach(groups::add);
            });
    assertThat(groups).containsExactly("p/a/", "p/～/", "p/🦀/");
    assertThat(keys).containsExactly("p/x");
  }

  @Test
  void pagesThroughGroupsOnceEach() {
    List.of("a/1", "a/2", "b", "c/1", "c/2", "d").forEach(k -> s3.put(k, "v"));

    List<String> names = new ArrayList<>();
    CLIENT
        .listObjectsV2Paginator(b -> b.bucket(s3.bucket()).delimiter("/").maxKeys(1))
        .forEach(
            page -> {
              assertThat(page.keyCount()).isEqualTo(1);
              names.addAll(keysOf(page));
              page.commonPrefixes().stream().map(CommonPrefix::prefix).forEach(names::add);
            });
    assertThat(names).containsExactly("a/", "b", "c/", "d");
  }

  @Test
  void givesAThousandKeysAPage() throws Exception {
    List<String> keys = IntStream.range(0, 1005).mapToObj("k/%04d"::formatted).toList();
    inParallel(8, keys.stream().map(key -> (Callable<String>) () -> s3.put(key, "")).toList());

    ListObjectsV2Response first = s3.page(ListObjectsV2Request.builder().prefix("k/"));
    assertThat(first.contents()).hasSize(1000);
    assertThat(first.isTruncated()).isTrue();
    assertThat(s3.keys("k/")).containsExactlyElementsOf(keys);
  }

  @Test
  void joinsTheParts() {
    byte[] large = new byte[5 * 1024 * 1024];
    String id =
        CLIENT
            .createMultipartUpload(
                b -> b.bucket(s3.bucket()).key("k").metadata(Map.of("attempt", "7")))
            .uploadId();
    CompletedPart one = part(id, 1, large);
    CompletedPart two = part(id, 2, new byte[] {1, 2, 3});
    assertThat(s3.keys("")).isEmpty();

    CLIENT.completeMultipartUpload(
        b ->
            b.bucket(s3.bucket())
                .key("k")
                .uploadId(id)
                .ifNoneMatch("*")
                .multipartUpload(m -> m.parts(one, two)));

    HeadObjectResponse head = CLIENT.headObject(b -> b.bucket(s3.bucket()).key("k"));
    assertThat(head.contentLength()).isEqualTo(large.length + 3L);
    assertThat(head.metadata()).containsEntry("attempt", "7");
    assertThat(head.eTag()).endsWith("-2\"");
  }

  @Test
  void anUploadThatLostTheRaceChangesNothing() {
    s3.put("k", "there");
    String id = CLIENT.createMultipartUpload(b -> b.bucket(s3.bucket()).key("k")).uploadId();
    CompletedPart only = part(id, 1, new byte[] {1});

    assertThatThrownBy(
            () ->
                CLIENT.completeMultipartUpload(
                    b ->
                        b.bucket(s3.bucket())
                            .key("k")
                            .uploadId(id)
                            .ifNoneMatch("*")
                            .multipartUpload(m -> m.parts(only))))
        .satisfies(e -> isStatus(e, 412));
    CLIENT.abortMultipartUpload(b -> b.bucket(s3.bucket()).key("k").uploadId(id));
    assertThat(s3.get("k")).isEqualTo("there");
  }

  private CompletedPart part(String id, int number, byte[] bytes) {
    String etag =
        CLIENT
            .uploadPart(
                b -> b.bucket(s3.bucket()).key("k").uploadId(id).partNumber(number),
                RequestBody.fromBytes(bytes))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(etag).build();
  }

  private String range(String range) {
    return CLIENT.getObjectAsBytes(b -> b.bucket(s3.bucket()).key("k").range(range)).asUtf8String();
  }

  private static List<String> keysOf(ListObjectsV2Response page) {
    return page.contents().stream().map(S3Object::key).toList();
  }

  private static void isNotModified(Throwable e) {
    isStatus(e, 304);
  }

  private static void isStatus(Throwable e, int status) {
    assertThat(e).isInstanceOf(S3Exception.class);
    assertThat(((S3Exception) e).statusCode()).isEqualTo(status);
  }

  /** What one runner of a race does. */
  private interface Runner {
    Callable<String> number(int number);
  }

  /** Runs all at once; the answers of those that won. */
  private static List<String> race(int runners, Runner runner) throws Exception {
    List<Callable<String>> tasks = new ArrayList<>();
    for (int i = 0; i < runners; i++) {
      Callable<String> task = runner.number(i);
      tasks.add(
          () -> {
            try {
              return task.call();
            } catch (S3Exception e) {
              assertThat(e.statusCode()).isEqualTo(412);
              return "";
            }
          });
    }
    return inParallel(runners, tasks).stream().filter(answer -> !answer.isEmpty()).toList();
  }

  private static List<String> inParallel(int threads, List<Callable<String>> tasks)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<String> answers = new ArrayList<>();
      for (Future<String> future : pool.invokeAll(tasks)) {
        answers.add(future.get());
      }
      return answers;
    } finally {
      pool.shutdownNow();
    }
  }
}
