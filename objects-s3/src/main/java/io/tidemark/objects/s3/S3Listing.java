// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.Listing;
import io.tidemark.objects.Listing.Depth;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.UnsupportedStoreException;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Listing in progress, of which one page is held at a time.
 *
 * <p>S3 gives the objects and the groups of a page apart; here they are put into one order. Across
 * pages the order is the server's: one that goes back is refused, since the reader of a listing may
 * rely on having seen everything up to a key.
 */
final class S3Listing implements Iterator<Listing.Entry> {

  /** Sorts after everything else that may follow a group's name. */
  private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

  private final S3Connection s3;
  private final Listing listing;
  private final String keyPrefix;
  private Iterator<Listing.Entry> page = Collections.emptyIterator();
  private @Nullable String nextPage; // null before the first page
  private boolean ended;
  private String last = "";

  private S3Listing(S3Connection s3, Listing listing) {
    this.s3 = s3;
    this.listing = listing;
    this.keyPrefix = s3.keyPrefix();
    // What is longer than any key is the start of none.
    this.ended = !S3Connection.isWithinKeyLimit(keyPrefix + listing.prefix());
  }

  static Stream<Listing.Entry> stream(S3Connection s3, Listing listing) {
    S3Listing entries = new S3Listing(s3, listing);
    int traits = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(entries, traits), false)
        .onClose(entries::close);
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && !ended) {
      fetch();
    }
    return page.hasNext();
  }

  @Override
  public Listing.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return page.next();
  }

  private void close() {
    ended = true;
    page = Collections.emptyIterator();
  }

  private void fetch() {
    S3Call call = S3Call.reading("list " + s3.describe(listing.prefix()));
    ListObjectsV2Response response = request(call);
    List<Listing.Entry> entries = entries(call, response);
    checkOrder(entries);
    page = entries.iterator();
    nextPage = response.nextContinuationToken();
    ended = !Boolean.TRUE.equals(response.isTruncated());
    if (!ended && nextPage == null) {
      throw new StoreFailureException(
          "can't " + call.what() + ": the server says that more follows but not how to ask for it");
    }
  }

  private ListObjectsV2Response request(S3Call call) {
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder()
            .bucket(s3.bucket())
            .prefix(keyPrefix + listing.prefix())
            .encodingType(EncodingType.URL) // XML can't carry every character a key may have
            .overrideConfiguration(call.requestConfiguration(s3.timeout(0)));
    if (listing.depth() == Depth.CHILDREN) {
      request.delimiter("/");
    }
    if (nextPage != null) {
      request.continuationToken(nextPage);
    } else if (!listing.startAfter().isEmpty()) {
      request.startAfter(keyPrefix + startAfter());
    }
    try {
      return s3.client().listObjectsV2(request.build());
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
  }

  /**
   * Returns where the server should start: behind the group that the listing has done with, if any.
   */
  private String startAfter() {
    String after = listing.startAfter();
    Optional<String> group =
        after.startsWith(listing.prefix()) ? listing.groupOf(after) : Optional.empty();
    return group
        .map(name -> name + LAST)
        .filter(s -> S3Connection.isWithinKeyLimit(keyPrefix + s))
        .orElse(after);
  }

  private List<Listing.Entry> entries(S3Call call, ListObjectsV2Response response) {
    Stream<Listing.Entry> items =
        response.contents().stream()
            .filter(object -> isOurs(object.key()))
            .map(object -> new Listing.Entry.Item(info(call, object)));
    Stream<Listing.Entry> groups =
        response.commonPrefixes().stream()
            .map(group -> new Listing.Entry.Group(group.prefix().substring(keyPrefix.length())));
    return Stream.concat(items, groups)
        .filter(entry -> listing.isAhead(entry.name()))
        .filter(entry -> !entry.name().startsWith(S3Probe.FOLDER))
        .filter(entry -> !entry.name().equals(last)) // a group whose objects fill several pages
        .sorted(Comparator.comparing(Listing.Entry::name, ObjectKeys.ORDER))
        .toList();
  }

  /** Consoles leave empty objects that stand for folders; no key of ours ends like that. */
  private static boolean isOurs(String fullKey) {
    return !fullKey.endsWith("/");
  }

  private ObjectInfo info(S3Call call, S3Object object) {
    return new ObjectInfo(
        object.key().substring(keyPrefix.length()),
        s3.etag(call, object.eTag()),
        s3.required(call, object.size(), "Size"),
        s3.required(call, object.lastModified(), "LastModified"));
  }

  private void checkOrder(List<Listing.Entry> entries) {
    if (entries.isEmpty()) {
      return;
    }
    String first = entries.get(0).name();
    if (ObjectKeys.ORDER.compare(first, last) < 0) {
      throw new UnsupportedStoreException(
          s3.settings().location()
              + " lists \""
              + first
              + "\" after \""
              + last
              + "\", which is not the order of their UTF-8 bytes; Tidemark needs a server that"
              + " lists in that order, as AWS does");
    }
    last = entries.get(entries.size() - 1).name();
  }
}
