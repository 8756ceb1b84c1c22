// SPDX-License-Identifier: Apache-2.0
/** What of the buckets in memory can't be shown over HTTP, where races are too slow. */
@NullMarked
package io.tidemark.testkit.servers.awssdk;

import org.jspecify.annotations.NullMarked;
