// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Forms and places in which earlier programs left records in an object store. Found by {@link
 * java.util.ServiceLoader} when a record in an older form is met, and for a migration; everything
 * else knows today's keys only.
 *
 * <p>Guarantees of an implementation:
 *
 * <ol>
 *   <li>It changes nothing that it is given.
 *   <li>What it doesn't understand stays, under the key that it has.
 *   <li>A document that can't be understood at all throws {@link
 *       io.tidemark.names.CorruptRecordException}.
 * </ol>
 */
public interface LegacyForms {

  /** Returns the name of the form that a document has; empty for one in today's keys. */
  Optional<String> formOf(ObjectNode json);

  /**
   * Returns a copy of a document in today's keys.
   *
   * @param key key of the object, for messages
   */
  ObjectNode convert(String key, ObjectNode json);

  /** Returns the places where records lay before they lay below {@code ns@v2/}, newest first. */
  List<Location> locations();

  /** Place where records once lay. */
  interface Location {

    /** Returns the prefix of its keys. */
    String prefix();

    /** Returns whether an object may be a record, by its key and its size. */
    boolean isCandidate(String key, long size);

    /** Returns whether the bytes of a candidate are worth parsing. */
    boolean isWorthParsing(byte[] bytes);

    /** Returns the name of the form that a candidate has. */
    String formOf(String key);

    /**
     * Returns the records of a document by their addresses, in today's keys; none if it has none.
     */
    Map<Address, ObjectNode> records(String key, ObjectNode json);
  }
}
