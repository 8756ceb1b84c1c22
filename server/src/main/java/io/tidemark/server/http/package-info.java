// SPDX-License-Identifier: Apache-2.0
/** Infrastructure common to all requests: routes, dispatch, answers and limits. */
@NullMarked
package io.tidemark.server.http;

import org.jspecify.annotations.NullMarked;
