// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Request for a listing of keys.
 *
 * @param prefix prefix of the keys; empty for all
 * @param startAfter only keys after this one, itself excluded; empty for all. When it lies inside a
 *     group that {@link Depth#CHILDREN} would form, that group counts as already listed
 * @param depth whether keys below the next {@code /} are listed or grouped
 */
public record Listing(String prefix, String startAfter, Depth depth) {

  /** Depth of a listing. */
  public enum Depth {
    /** Every key, one by one. */
    ALL,
    /**
     * Keys whose rest after the prefix holds no {@code /}, and in place of the other keys one
     * {@link Entry.Group} for each distinct rest up to and with its first {@code /}.
     */
    CHILDREN
  }

  /** Entry of a listing. */
  public sealed interface Entry {
    /** Returns the name by which the listing is ordered: the key, or the common prefix. */
    String name();

    /** An object. */
    record Item(ObjectInfo info) implements Entry {
      @Override
      public String name() {
        return info.key();
      }
    }

    /** One or more objects whose keys start with this prefix, which ends with {@code /}. */
    record Group(String name) implements Entry {}
  }

  /** Written out, as in {@link ETag}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Listing listing
        && prefix.equals(listing.prefix)
        && startAfter.equals(listing.startAfter)
        && depth == listing.depth;
  }

  @Override
  public int hashCode() {
    return (prefix.hashCode() * 31 + startAfter.hashCode()) * 31 + depth.hashCode();
  }

  /** Returns a listing of every key that starts with the prefix. */
  public static Listing all(String prefix) {
    return new Listing(prefix, "", Depth.ALL);
  }

  /** Returns a listing of the direct children of the prefix, as a directory would show them. */
  public static Listing children(String prefix) {
    return new Listing(prefix, "", Depth.CHILDREN);
  }

  /** Returns the rest of this listing, after the given key or group. */
  public Listing after(String name) {
    return new Listing(prefix, name, depth);
  }

  /** Returns the group a key belongs to in this listing, or empty when it is listed by itself. */
  public Optional<String> groupOf(String key) {
    if (depth == Depth.ALL) {
      return Optional.empty();
    }
    int slash = key.indexOf('/', prefix.length());
    return slash < 0 ? Optional.empty() : Optional.of(key.substring(0, slash + 1));
  }

  /** Returns whether a key, or the group it stands for, is still to come. */
  public boolean isAhead(String name) {
    if (startAfter.isEmpty()) {
      return true;
    }
    boolean groupAlreadyListed = name.endsWith("/") && startAfter.startsWith(name);
    return !groupAlreadyListed && ObjectKeys.ORDER.compare(name, startAfter) > 0;
  }
}
