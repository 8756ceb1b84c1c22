// SPDX-License-Identifier: Apache-2.0
/** Tests of webhooks. */
@NullMarked
package io.tidemark.events.webhook;

import org.jspecify.annotations.NullMarked;
