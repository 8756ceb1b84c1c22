// SPDX-License-Identifier: Apache-2.0
package io.tidemark;

/**
 * Service provider interface of an implementation of {@link Tidemark}, found by {@link
 * java.util.ServiceLoader}. Implementations guarantee:
 *
 * <ol>
 *   <li>At most one provider opens a given location.
 *   <li>{@link #opens} looks at the text alone: it reads no file and sends no request.
 *   <li>{@link #open} doesn't need the parts that are never used: without a database, features fail
 *       at their first use and not before.
 * </ol>
 */
public interface TidemarkProvider {

  /** Returns whether this provider opens such a location. */
  boolean opens(String location);

  /** Opens the location of the options. */
  Tidemark open(OpenOptions options);
}
