// SPDX-License-Identifier: Apache-2.0
/** Routes of events: publishing, claiming, settling, and maintenance. */
@NullMarked
package io.tidemark.server.events;

import org.jspecify.annotations.NullMarked;
