// SPDX-License-Identifier: Apache-2.0
/** What is common to all requests: routes, calls, replies and the limits on them. */
@NullMarked
package io.tidemark.server.http;

import org.jspecify.annotations.NullMarked;
