// SPDX-License-Identifier: Apache-2.0
/** How fast a server answers, beside a bare one and beside the same call in the process. */
@NullMarked
package io.tidemark.bench.server;

import org.jspecify.annotations.NullMarked;
