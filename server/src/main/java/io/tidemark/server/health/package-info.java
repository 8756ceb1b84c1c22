// SPDX-License-Identifier: Apache-2.0
/** What those ask who run the server, and those who want to know what it can do. */
@NullMarked
package io.tidemark.server.health;

import org.jspecify.annotations.NullMarked;
