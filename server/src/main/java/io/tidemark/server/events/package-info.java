// SPDX-License-Identifier: Apache-2.0
/** The routes of events: publishing, claiming and settling them, and looking after them. */
@NullMarked
package io.tidemark.server.events;

import org.jspecify.annotations.NullMarked;
