// SPDX-License-Identifier: Apache-2.0
/**
 * The objects behind {@link io.tidemark.testkit.servers.S3Server}: buckets in memory that judge
 * conditions atomically, under S3Proxy's front end.
 *
 * <p>The package has this name because S3Proxy tells by the words of a class's package what a store
 * can do, and {@code awssdk} is the word for one that judges the conditions of writes and deletes
 * itself. Under any other name it would refuse them, or check and then act.
 */
@NullMarked
package io.tidemark.testkit.servers.awssdk;

import org.jspecify.annotations.NullMarked;
