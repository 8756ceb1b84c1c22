// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.gaul.s3proxy.blobstore.S3Exceptions;
import org.gaul.s3proxy.blobstore.SdkResponses;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects of one bucket in the order of their keys' UTF-8 bytes. Its monitor makes a condition
 * and the change that hangs on it one step.
 */
final class MemoryBucket {

  /** Written out, not borrowed from the product, which is judged by it. */
  private static final Comparator<String> UTF8_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private static final int S3_PAGE_LIMIT = 1000;

  private final String name;
  private final BucketBehavior traits;
  private final Instant created;
  private final NavigableMap<String, MemoryObject> objects = new TreeMap<>(UTF8_ORDER);
  private final Map<String, MemoryUpload> uploads = new ConcurrentHashMap<>();

  MemoryBucket(String name, BucketBehavior traits) {
    this.name = name;
    this.traits = traits;
    this.created = traits.clock().instant();
  }

  BucketBehavior traits() {
    return traits;
  }

  Instant created() {
    return created;
  }

  Map<String, MemoryUpload> uploads() {
    return uploads;
  }

  synchronized boolean isEmpty() {
    return objects.isEmpty();
  }

  synchronized @Nullable MemoryObject find(String key) {
    return objects.get(key);
  }

  synchronized void put(
      String key, MemoryObject object, @Nullable String ifMatch, @Nullable String ifNoneMatch) {
    MemoryObject current = objects.get(key);
    if (traits.judgesWrites()) {
      if (ifMatch != null) {
        if (current == null) {
          throw S3Exceptions.noSuchKey(name, key, "there is nothing that If-Match could match");
        }
        requireMatch(current, ifMatch);
      }
      if (ifNoneMatch != null && current != null && matches(current, ifNoneMatch)) {
        throw S3Exceptions.preconditionFailed(null);
      }
    }
    objects.put(key, object);
  }

  /** As S3 says: a condition on an object that isn't there is no reason to fail. */
  synchronized void remove(String key, @Nullable String ifMatch) {
    MemoryObject current = objects.get(key);
    if (current != null && ifMatch != null && traits.judgesDeletes()) {
      requireMatch(current, ifMatch);
    }
    objects.remove(key);
  }

  private static void requireMatch(MemoryObject current, String ifMatch) {
    if (!matches(current, ifMatch)) {
      throw S3Exceptions.preconditionFailed(null);
    }
  }

  static boolean matches(MemoryObject current, String condition) {
    return condition.equals("*") || current.etag().equals(MemoryObject.unquoted(condition));
  }

  synchronized ListObjectsV2Response list(ListObjectsV2Request request) {
    String prefix = orEmpty(request.prefix());
    String delimiter = orEmpty(request.delimiter());
    int limit = limit(request.maxKeys());
    Cursor cursor = Cursor.of(request);

    List<S3Object> items = new ArrayList<>();
    List<CommonPrefix> groups = new ArrayList<>();
    String lastGroup = cursor.insideGroup() ? cursor.name() : "";
    String last = "";
    for (Map.Entry<String, MemoryObject> entry : tail(prefix, cursor.name()).entrySet()) {
      String key = entry.getKey();
      if (!key.startsWith(prefix)) {
        break;
      }
      String group = groupOf(key, prefix, delimiter);
      if (!group.isEmpty() && group.equals(lastGroup)) {
        continue;
      }
      boolean full = items.size() + groups.size() >= limit;
      if (full || frontEndWouldReorder(groups, group)) {
        return page(items, groups, limit == 0 ? "" : last);
      }
      if (group.isEmpty()) {
        items.add(listed(key, entry.getValue()));
        last = Cursor.afterKey(key);
      } else {
        groups.add(SdkResponses.commonPrefix(group));
        lastGroup = group;
        last = Cursor.afterGroup(group);
      }
    }
    return page(items, groups, "");
  }

  private NavigableMap<String, MemoryObject> tail(String prefix, String after) {
    return UTF8_ORDER.compare(prefix, after) > 0
        ? objects.tailMap(prefix, true)
        : objects.tailMap(after, false);
  }

  private int limit(@Nullable Integer asked) {
    int wanted = asked == null ? S3_PAGE_LIMIT : asked;
    return Math.min(Math.min(wanted, S3_PAGE_LIMIT), traits.pageLimit());
  }

  private static String groupOf(String key, String prefix, String delimiter) {
    int at = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
    return at < 0 ? "" : key.substring(0, at + delimiter.length());
  }

  /**
   * S3Proxy sorts the groups of a page by UTF-16, S3 by UTF-8. Where the two differ the page ends,
   * as S3 may end a page anywhere.
   */
  private static boolean frontEndWouldReorder(List<CommonPrefix> groups, String group) {
    return !group.isEmpty()
        && !groups.isEmpty()
        && groups.get(groups.size() - 1).prefix().compareTo(group) > 0;
  }

  private static S3Object listed(String key, MemoryObject object) {
    return SdkResponses.objectEntry(
        key,
        object.description().eTag(),
        object.description().lastModified(),
        (long) object.bytes().length,
        null);
  }

  private static ListObjectsV2Response page(
      List<S3Object> items, List<CommonPrefix> groups, String next) {
    return SdkResponses.objectsPage(items, groups, next.isEmpty() ? null : next);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /**
   * Where a page starts. A start-after is a key and nothing more, so a group that has keys after it
   * is listed, even when the key lies inside; a token remembers that its group was listed.
   */
  private record Cursor(String name, boolean insideGroup) {
    static Cursor of(ListObjectsV2Request request) {
      if (request.continuationToken() == null) {
        return new Cursor(orEmpty(request.startAfter()), false);
      }
      String token =
          new String(
              Base64.getUrlDecoder().decode(request.continuationToken()), StandardCharsets.UTF_8);
      return new Cursor(token.substring(1), token.startsWith("g"));
    }

    static String afterKey(String key) {
      return token("k" + key);
    }

    static String afterGroup(String group) {
      return token("g" + group);
    }

    private static String token(String text) {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
