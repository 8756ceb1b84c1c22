// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static io.tidemark.objects.s3.TestStore.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.Listing.Depth;
import io.tidemark.objects.Listing.Entry;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ServerExtension.class)
class S3ListingTest {

  private final S3Bucket bucket;
  private final S3Backend backend;

  S3ListingTest(S3Server server) {
    bucket = server.createBucket();
    backend = TestStore.open(bucket);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void pagesAreFetchedAsTheyAreNeeded() throws Exception {
    List<String> keys = IntStream.range(0, 2500).mapToObj("k/%04d"::formatted).toList();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    keys.forEach(key -> threads.execute(() -> write(backend, key, "")));
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    bucket.requests().clear();

    try (Stream<Entry> entries = backend.list(Listing.all(""))) {
      assertThat(bucket.requests().count()).isZero();
      Iterator<Entry> names = entries.iterator();
      for (int i = 0; i < 1000; i++) {
        assertThat(names.next().name()).isEqualTo(keys.get(i));
      }
      assertThat(bucket.requests().count(S3Operation.LIST_OBJECTS)).isEqualTo(1);
      assertThat(names.next().name()).isEqualTo(keys.get(1000));
      assertThat(bucket.requests().count(S3Operation.LIST_OBJECTS)).isEqualTo(2);
    }
    bucket.requests().clear();

    assertThat(names(Listing.all("k/"))).containsExactlyElementsOf(keys);
    assertThat(bucket.requests().count()).isEqualTo(3);
    assertThat(names(Listing.all("").after("k/2497"))).containsExactly("k/2498", "k/2499");
    assertThat(names(Listing.children(""))).containsExactly("k/");
  }

  @Test
  void aListingThatIsClosedAsksNoMore() {
    IntStream.range(0, 4).forEach(i -> write(backend, "k" + i, ""));
    bucket.limitPages(2);
    bucket.requests().clear();

    Stream<Entry> entries = backend.list(Listing.all(""));
    Iterator<Entry> names = entries.iterator();
    names.next();
    entries.close();

    assertThat(names.hasNext()).isFalse();
    assertThat(bucket.requests().count()).isEqualTo(1);
  }

  @Test
  void entriesTellVersionAndSize() {
    ETag etag = write(backend, "k", "hello");

    Entry.Item item = (Entry.Item) backend.list(Listing.all("")).toList().get(0);

    assertThat(item.info().etag()).isEqualTo(etag);
    assertThat(item.info().size()).isEqualTo(5);
    assertThat(item.info().lastModified())
        .isEqualTo(backend.head("k").orElseThrow().lastModified());
  }

  @Test
  void objectsAndGroupsComeInOneOrderWhateverThePages() {
    List<String> keys =
        List.of("a!", "a", "a/b", "a/c/d", "a0", "b/1", "é", "～/x", "🦀", "🦀/1", "z");
    keys.forEach(key -> write(backend, key, ""));
    List<String> children =
        Stream.of("a", "a!", "a/", "a0", "b/", "z", "é", "～/", "🦀", "🦀/")
            .sorted(ObjectKeys.ORDER)
            .toList();

    for (int page = 1; page <= 12; page++) {
      bucket.limitPages(page);
      assertThat(names(Listing.all("")))
          .containsExactlyElementsOf(keys.stream().sorted(ObjectKeys.ORDER).toList());
      assertThat(names(Listing.children(""))).containsExactlyElementsOf(children);
    }
  }

  @Test
  void aListingGoesOnAfterEachOfItsNames() {
    List.of("a", "a/b", "a/c/d", "a/c/e", "a0", "b/1").forEach(key -> write(backend, key, ""));

    for (Depth depth : Depth.values()) {
      for (String prefix : List.of("", "a", "a/", "a/c", "b/", "none")) {
        List<String> all = names(new Listing(prefix, "", depth));
        for (int i = 0; i < all.size(); i++) {
          assertThat(names(new Listing(prefix, all.get(i), depth)))
              .as("%s of \"%s\" after %s", depth, prefix, all.get(i))
              .containsExactlyElementsOf(all.subList(i + 1, all.size()));
        }
      }
    }
  }

  @Test
  void aGroupThatTheListingStartsInIsDone() {
    List.of("a/1", "a/2", "a/3", "b").forEach(key -> write(backend, key, ""));
    bucket.requests().clear();

    assertThat(names(Listing.children("").after("a/1"))).containsExactly("b");
    assertThat(names(Listing.children("a/").after("a/1"))).containsExactly("a/2", "a/3");
    // The server is told to skip the group, however many objects it has.
    assertThat(bucket.requests().all().get(0).query().get("start-after"))
        .isEqualTo("data/store/a/\uDBFF\uDFFF");
  }

  @Test
  void aStartBeforeOrBehindThePrefixIsTakenAsItIs() {
    List.of("a/1", "b/1", "b/2", "c/1").forEach(key -> write(backend, key, ""));

    assertThat(names(Listing.all("b/").after("a/9"))).containsExactly("b/1", "b/2");
    assertThat(names(Listing.all("b/").after("c"))).isEmpty();
    assertThat(names(Listing.children("b/").after("a"))).containsExactly("b/1", "b/2");
  }

  @Test
  void whatOthersPutBesideOurKeysIsNotListed() {
    write(backend, "k", "");
    try (S3Backend root = TestStore.open(TestStore.settings(bucket).prefix("").build())) {
      write(root, "data/stores", "");
      write(root, "data/store/", ""); // a folder as a console makes it
      write(root, "data/store/folder/", "");
    }

    assertThat(names(Listing.all(""))).containsExactly("k");
    assertThat(names(Listing.all("folder/"))).isEmpty();
  }

  private List<String> names(Listing listing) {
    try (Stream<Entry> entries = backend.list(listing)) {
      return entries.map(Entry::name).toList();
    }
  }
}
