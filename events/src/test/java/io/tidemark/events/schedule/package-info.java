// SPDX-License-Identifier: Apache-2.0
/** Tests of schedules. */
@NullMarked
package io.tidemark.events.schedule;

import org.jspecify.annotations.NullMarked;
